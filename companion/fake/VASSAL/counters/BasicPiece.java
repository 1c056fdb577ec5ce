package VASSAL.counters;

import java.awt.Point;

/** An imitation for tests. */
public class BasicPiece implements GamePiece {
  private final String name;
  private final Point position;
  private final boolean hidden;

  /** A name that begins with a question mark is that of a piece hidden from the player. */
  public BasicPiece(String name, Point position) {
    hidden = name.startsWith("?");
    this.name = hidden ? name.substring(1) : name;
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
    if ("BasicName".equals(key)) {
      return name;
    }
    return "Invisible".equals(key) && hidden ? Boolean.TRUE : null;
  }
}
