package VASSAL.counters;

import java.awt.Point;

public interface GamePiece {
  Point getPosition();

  String getName();

  Object getProperty(Object key);
}
