package VASSAL.counters;

import java.awt.Point;
import java.util.Iterator;
import java.util.List;

/** An imitation for tests. */
public class Stack implements GamePiece {
  private final List<GamePiece> pieces;

  public Stack(GamePiece... pieces) {
    this.pieces = List.of(pieces);
  }

  public Iterator<GamePiece> getPiecesIterator() {
    return pieces.iterator();
  }

  @Override
  public Point getPosition() {
    return pieces.get(0).getPosition();
  }

  @Override
  public String getName() {
    return "stack";
  }

  @Override
  public Object getProperty(Object key) {
    return null;
  }
}
