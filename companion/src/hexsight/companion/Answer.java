package hexsight.companion;

/** What is said of one line. */
final class Answer {
  /** Stands for "the place is not known". */
  static final double NOWHERE = -1;

  /** False where the table does not reach. */
  final boolean known;
  final boolean blocked;
  final int hindrance;
  /** Sentence for people: begins with "clear" or "blocked". */
  final String text;
  final int range;
  /** Share of the way from the first end to what blocks, or {@link #NOWHERE}. */
  final double at;

  /** Nothing is known. */
  Answer(String text, int range) {
    known = false;
    blocked = false;
    hindrance = 0;
    this.text = text;
    this.range = range;
    at = NOWHERE;
  }

  Answer(boolean blocked, int hindrance, String text, int range, double at) {
    known = true;
    this.blocked = blocked;
    this.hindrance = hindrance;
    this.text = text;
    this.range = range;
    this.at = at;
  }
}
