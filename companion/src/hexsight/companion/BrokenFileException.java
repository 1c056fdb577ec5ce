package hexsight.companion;

/** A file of the module that cannot be read; the message is one line for a player. */
final class BrokenFileException extends Exception {
  private static final long serialVersionUID = 1L;

  BrokenFileException(String where, String what) {
    super("Cannot read " + where + ": " + what);
  }
}
