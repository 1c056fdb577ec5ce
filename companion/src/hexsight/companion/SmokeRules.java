package hexsight.companion;

/** The rule set's numbers for SMOKE, and what a cloud does to a line (A24). */
final class SmokeRules {
  /** Hindrance that blocks a line (A6.7). */
  final int limit;
  /** Most Hindrance of the SMOKE of one hex. */
  final int hexLimit;
  /** Hindrance and height of a counter that says nothing else. */
  final int hindrance;
  final int heightHalf;
  /** Hexes of range for one more Blind Hex (A6.4). */
  private final int per;

  /** Numbers of a line of text, with blanks between. */
  SmokeRules(String line) {
    final String[] f = line.split(" ");
    limit = Integer.parseInt(f[0]);
    hexLimit = Integer.parseInt(f[1]);
    per = Math.max(1, Integer.parseInt(f[2]));
    hindrance = Integer.parseInt(f[3]);
    heightHalf = Integer.parseInt(f[4]);
  }

  /** In a hex between both ends: where an obstacle of its height would block (A24.2, A24.4). */
  boolean between(int base, int top, int high, int low, int far, int near) {
    if (high < base) {
      return false;
    }
    if (top > high) {
      return true;
    }
    if (top == high) {
      return high > low;
    }
    final int full = top - (top & 1);
    if (low < full) {
      final int hexes2 = 2 * full - high - low + 2 * (far / per) + 2;
      return 2 * near <= Math.max(hexes2, 2);
    }
    return false;
  }

  /** In the hex of an end (A24.2). */
  static boolean atEnd(int base, int top, int own, int other) {
    if (base <= own && own < top) {
      return true;
    }
    return own < base ? other >= base : own == top && other < own;
  }

  /** Between two Locations of its own hex (A24.2). */
  static boolean inHex(int base, int top, int high, int low) {
    return low < top && high >= base;
  }
}
