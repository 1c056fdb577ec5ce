package VASSAL.counters;

import java.awt.Point;

/** An imitation for tests. */
public class BasicPiece implements GamePiece {
  private final String name;
  private final Point position;

  public BasicPiece(String name, Point position) {
    this.name = name;
    this.position = position;
  }

  @Override
  public Point getPosition() {
    return new Point(position);
  }

  @Override
  public String getName() {
    return name + " (turned)";
  }

  @Override
  public Object getProperty(Object key) {
    return "BasicName".equals(key) ? name : null;
  }
}
