package VASSAL.build.module.map.boardPicker;

import java.awt.Point;
import java.awt.Rectangle;
import java.util.LinkedHashMap;
import java.util.Map;

/** An imitation for tests: a list of centres with names. */
public class Board {
  public final Rectangle bounds;
  private final String name;
  private final Map<Point, String> centres = new LinkedHashMap<>();

  public Board(String name, Rectangle bounds) {
    this.name = name;
    this.bounds = bounds;
  }

  public String getName() {
    return name;
  }

  /** A hex, with its centre in pixels of the board. */
  public void add(String location, int x, int y) {
    centres.put(new Point(bounds.x + x, bounds.y + y), location);
  }

  public Point centre(String location) {
    for (final Map.Entry<Point, String> e : centres.entrySet()) {
      if (e.getValue().equals(location)) {
        return new Point(e.getKey());
      }
    }
    throw new IllegalArgumentException(location);
  }

  public Point snapTo(Point p) {
    Point best = p;
    for (final Point centre : centres.keySet()) {
      if (best == p || centre.distance(p) < best.distance(p)) {
        best = centre;
      }
    }
    return new Point(best);
  }

  /** Only at a centre: elsewhere the real one may name the next hex. */
  public String locationName(Point p) {
    return centres.getOrDefault(p, "beside a centre");
  }
}
