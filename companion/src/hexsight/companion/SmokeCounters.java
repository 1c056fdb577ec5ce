package hexsight.companion;

import VASSAL.build.module.Map;
import VASSAL.build.module.map.boardPicker.Board;
import VASSAL.counters.GamePiece;
import VASSAL.counters.Stack;

import java.awt.Point;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** Finds the smoke counters that lie on a board. */
final class SmokeCounters {
  private SmokeCounters() {
  }

  /** Clouds on a board of a map, of counters with these names. */
  static List<Cloud> on(Map map, Board board, BoardLines lines, SmokeNames names) {
    if (names.isEmpty()) {
      return Collections.emptyList();
    }
    final List<Cloud> out = new ArrayList<>();
    for (final GamePiece piece : map.getPieces()) {
      if (piece instanceof Stack) {
        final Iterator<GamePiece> inside = ((Stack) piece).getPiecesIterator();
        while (inside.hasNext()) {
          add(inside.next(), map, board, lines, names, out);
        }
      }
      else {
        add(piece, map, board, lines, names, out);
      }
    }
    return out;
  }

  /** Name of the hex at a point: the centre's, since names at its rim may be the next hex's. */
  static String nameAt(Map map, Point p) {
    return map.locationName(map.snapTo(new Point(p)));
  }

  private static void add(GamePiece piece, Map map, Board board, BoardLines lines,
                          SmokeNames names, List<Cloud> out) {
    // What VASSAL hides from this player must not show by its effect.
    if (Boolean.TRUE.equals(piece.getProperty("Invisible"))
        || Boolean.TRUE.equals(piece.getProperty("Obscured"))) {
      return;
    }
    SmokeNames.Kind kind = names.find(piece.getName());
    if (kind == null) {
      final Object plain = piece.getProperty("BasicName");
      kind = plain == null ? null : names.find(plain.toString());
    }
    if (kind == null || map.findBoard(piece.getPosition()) != board) {
      return;
    }
    final int[] here = lines.levels(nameAt(map, piece.getPosition()));
    if (here.length > 0) {
      out.add(lines.cloud(here[0], kind));
    }
  }
}
