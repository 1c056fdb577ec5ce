package hexsight.companion;

/**
 * Exact geometry of hexes in columns, the odd ones half a row lower.
 *
 * <p>In lattice coordinates (3 · column, 2 · row + column mod 2) centres and vertices are
 * integers: a hex is all points with |y| ≤ 1, |x + y| ≤ 2, |x − y| ≤ 2 from its centre.
 */
final class HexLine {
  private HexLine() {
  }

  /** Range in hexes. */
  static int range(int columnA, int rowA, int columnB, int rowB) {
    final int q = columnB - columnA;
    final int r = axial(columnB, rowB) - axial(columnA, rowA);
    return Math.max(Math.abs(q), Math.max(Math.abs(r), Math.abs(q + r)));
  }

  private static int axial(int column, int row) {
    return row - (column - (column & 1)) / 2;
  }

  /** Whether the line between two centres crosses a hex or runs along its side. */
  static boolean crosses(int columnA, int rowA, int columnB, int rowB, int column, int row) {
    final long x = 3L * (columnA - column);
    final long y = lattice(columnA, rowA) - lattice(column, row);
    final long dx = 3L * (columnB - columnA);
    final long dy = lattice(columnB, rowB) - lattice(columnA, rowA);
    final long[] from = {y, x + y, x - y};
    final long[] step = {dy, dx + dy, dx - dy};
    final long[] bound = {1, 2, 2};
    // The part of the line inside, as fractions low/lowOf … high/highOf of its length.
    long low = 0;
    long lowOf = 1;
    long high = 1;
    long highOf = 1;
    for (int k = 0; k < 3; k++) {
      if (step[k] == 0) {
        if (Math.abs(from[k]) > bound[k]) {
          return false;
        }
        continue;
      }
      final long sign = step[k] > 0 ? 1 : -1;
      final long of = step[k] * sign;
      final long enter = -bound[k] - from[k] * sign;
      final long leave = bound[k] - from[k] * sign;
      if (enter * lowOf > low * of) {
        low = enter;
        lowOf = of;
      }
      if (leave * highOf < high * of) {
        high = leave;
        highOf = of;
      }
    }
    return low * highOf < high * lowOf;
  }

  private static long lattice(int column, int row) {
    return 2L * row + (column & 1);
  }
}
