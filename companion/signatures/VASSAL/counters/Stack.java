package VASSAL.counters;

import java.awt.Point;
import java.util.Iterator;

public class Stack implements GamePiece {
  public native Iterator<GamePiece> getPiecesIterator();

  @Override
  public native Point getPosition();

  @Override
  public native String getName();

  @Override
  public native Object getProperty(Object key);
}
