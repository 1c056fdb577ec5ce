package VASSAL.build.module;

import VASSAL.build.module.map.boardPicker.Board;
import VASSAL.counters.GamePiece;

import java.awt.Point;

import javax.swing.JComponent;

public class Map {
  public native JComponent getView();

  public native Board findBoard(Point p);

  public native Point snapTo(Point p);

  public native String locationName(Point p);

  public native Point mapToDrawing(Point p, double scale);

  public native GamePiece[] getPieces();

  public native void repaint();
}
