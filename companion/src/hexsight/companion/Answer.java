package hexsight.companion;

/** What is said of one line. */
final class Answer {
  /** Stands for "the place is not known". */
  static final double NOWHERE = -1;

  final boolean blocked;
  final int hindrance;
  /** Sentence for people: begins with "clear" or "blocked". */
  final String text;
  final int range;
  /** Share of the way from the first end to what blocks, or {@link #NOWHERE}. */
  final double at;

  Answer(boolean blocked, int hindrance, String text, int range, double at) {
    this.blocked = blocked;
    this.hindrance = hindrance;
    this.text = text;
    this.range = range;
    this.at = at;
  }
}
