package VASSAL.build.module;

import VASSAL.build.Buildable;
import VASSAL.build.module.map.boardPicker.Board;
import VASSAL.counters.GamePiece;

import java.awt.Point;
import java.util.ArrayList;
import java.util.List;

import javax.swing.JComponent;
import javax.swing.JPanel;

/** An imitation for tests: boards beside each other, zoomed. */
public class Map implements Buildable {
  public final List<Board> boards = new ArrayList<>();
  public final List<GamePiece> pieces = new ArrayList<>();
  public double zoom = 1;
  public int repaints;
  public boolean failing;
  private final JPanel view = new JPanel();

  public JComponent getView() {
    return view;
  }

  public Board findBoard(Point p) {
    for (final Board board : boards) {
      if (board.bounds.contains(p)) {
        return board;
      }
    }
    return null;
  }

  public Point snapTo(Point p) {
    final Board board = findBoard(p);
    return board == null ? p : board.snapTo(p);
  }

  public String locationName(Point p) {
    if (failing) {
      throw new IllegalStateException("a fault on purpose");
    }
    final Board board = findBoard(p);
    return board == null ? "offboard" : board.locationName(p);
  }

  public Point mapToDrawing(Point p, double scale) {
    return new Point((int) (p.x * zoom * scale), (int) (p.y * zoom * scale));
  }

  public GamePiece[] getPieces() {
    return pieces.toArray(new GamePiece[0]);
  }

  public void repaint() {
    repaints++;
  }
}
