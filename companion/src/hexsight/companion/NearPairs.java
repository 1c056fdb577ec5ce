package hexsight.companion;

/** Answers for the pairs up to a highest range, one behind the other, row by row. */
final class NearPairs implements Pairs {
  private final int most;
  // By hex: first Location and, as the last entry, the number of all; column and row.
  private final int[] first;
  private final int[] column;
  private final int[] row;
  // By Location: its hex, and where its row starts.
  private final int[] hexOf;
  private final long[] start;
  private byte[] answers;

  /** The order of places is that of Locations; those of one hex follow each other. */
  NearPairs(PlacesFile.Place[] places, int most) {
    this.most = most;
    hexOf = new int[places.length];
    int hexes = 0;
    for (int i = 0; i < places.length; i++) {
      final boolean same = i > 0 && places[i].column == places[i - 1].column
        && places[i].row == places[i - 1].row;
      hexOf[i] = same ? hexes - 1 : hexes++;
    }
    first = new int[hexes + 1];
    column = new int[hexes];
    row = new int[hexes];
    for (int i = places.length - 1; i >= 0; i--) {
      first[hexOf[i]] = i;
      column[hexOf[i]] = places[i].column;
      row[hexOf[i]] = places[i].row;
    }
    first[hexes] = places.length;
    start = new long[places.length + 1];
    for (int a = 0; a < hexes; a++) {
      final int others = count(a, hexes);
      for (int i = first[a]; i < first[a + 1]; i++) {
        start[i + 1] = start[i] + first[a + 1] - i - 1 + others;
      }
    }
  }

  /** Pairs in all. */
  long size() {
    return start[start.length - 1];
  }

  void fill(byte[] plane) {
    answers = plane;
  }

  @Override
  public int index(int i, int j) {
    final int low = Math.min(i, j);
    final int high = Math.max(i, j);
    final int a = hexOf[low];
    final int b = hexOf[high];
    if (a == b) {
      return (int) start[low] + high - low - 1;
    }
    if (!near(a, b)) {
      return FAR;
    }
    return (int) start[low] + first[a + 1] - low - 1 + count(a, b) + high - first[b];
  }

  /** Locations of hexes behind a hex and before another that are near the first. */
  private int count(int a, int before) {
    int sum = 0;
    for (int h = a + 1; h < before; h++) {
      if (near(a, h)) {
        sum += first[h + 1] - first[h];
      }
    }
    return sum;
  }

  private boolean near(int a, int b) {
    return HexLine.range(column[a], row[a], column[b], row[b]) <= most;
  }

  @Override
  public int answer(int index) {
    return answers[index] & 0xFF;
  }

  @Override
  public int reason(int index) {
    return 0;
  }
}
