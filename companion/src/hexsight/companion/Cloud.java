package hexsight.companion;

/** A smoke counter on the map. */
final class Cloud {
  final int column;
  final int row;
  final SmokeNames.Kind kind;

  Cloud(int column, int row, SmokeNames.Kind kind) {
    this.column = column;
    this.row = row;
    this.kind = kind;
  }
}
