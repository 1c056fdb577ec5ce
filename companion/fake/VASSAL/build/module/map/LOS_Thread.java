package VASSAL.build.module.map;

import VASSAL.build.Buildable;
import VASSAL.build.module.Map;
import VASSAL.build.GameModule;
import VASSAL.tools.FormattedString;

import java.awt.Color;
import java.awt.Graphics;
import java.awt.Point;
import java.awt.event.MouseEvent;
import java.util.ArrayList;
import java.util.List;

/** An imitation for tests: what the component needs of the real one, done as plainly as can be. */
public class LOS_Thread {
  /** Times that the plain thread was drawn. */
  public int plain;

  protected Map map;
  protected Point anchor = new Point();
  protected Point arrow = new Point();
  protected boolean drawRange = true;
  protected boolean initializing;
  protected Color rangeFg = Color.WHITE;
  protected Color rangeBg = Color.BLACK;
  protected Point lastAnchor = new Point();
  protected Point lastArrow = new Point();
  protected String anchorLocation = "";
  protected String lastLocation = "";
  protected String lastRange = "";
  protected FormattedString reportFormat = new FormattedString();
  private final List<String> visited = new ArrayList<>();
  private final java.util.Map<String, String> attributes = new java.util.TreeMap<>();
  private boolean visible;
  private boolean dragged;

  public boolean isVisible() {
    return visible;
  }

  public void addTo(Buildable parent) {
    map = (Map) parent;
  }

  public void removeFrom(Buildable parent) {
    visible = false;
  }

  public String[] getAttributeNames() {
    return new String[] {"threadName", "report", "rangeFg", "rangeBg"};
  }

  public String[] getAttributeDescriptions() {
    return new String[] {"Name", "Report"};
  }

  public Class<?>[] getAttributeTypes() {
    return new Class<?>[] {String.class, String.class};
  }

  public void setAttribute(String key, Object value) {
    attributes.put(key, String.valueOf(value));
    if (key.equals("report")) {
      reportFormat.setFormat(String.valueOf(value));
    }
    if (key.equals("drawRange")) {
      drawRange = "true".equals(value);
    }
  }

  public String getAttributeValueString(String key) {
    return attributes.get(key);
  }

  public void draw(Graphics g, Map m) {
    if (visible && !initializing) {
      plain++;
    }
  }

  /** The button. */
  public void push() {
    launch();
  }

  protected void launch() {
    visible = true;
    initializing = true;
  }

  public void mousePressed(MouseEvent e) {
    initializing = false;
    anchor = map.snapTo(e.getPoint());
    arrow = new Point(anchor);
    anchorLocation = nameAt(anchor);
    lastLocation = anchorLocation;
    visited.clear();
  }

  public void mouseDragged(MouseEvent e) {
    dragged = true;
    arrow = map.snapTo(e.getPoint());
    final String location = nameAt(arrow);
    // As in the real one, a hex that was visited before does not become the last again.
    if (!visited.contains(location) && !location.equals(anchorLocation)) {
      visited.add(location);
      lastLocation = location;
    }
  }

  private String nameAt(Point p) {
    return map.failing ? "somewhere" : map.locationName(p);
  }

  public void mouseReleased(MouseEvent e) {
    if (dragged) {
      dragged = false;
    }
    else {
      visible = false;
    }
    if (!visited.isEmpty()) {
      reportFormat.setProperty("FromLocation", anchorLocation);
      reportFormat.setProperty("ToLocation", lastLocation);
      reportFormat.setProperty("Range", lastRange);
      reportFormat.setProperty("playerId", "Anna");
      GameModule.getGameModule().getChatter().send(reportFormat.getText());
    }
  }
}
