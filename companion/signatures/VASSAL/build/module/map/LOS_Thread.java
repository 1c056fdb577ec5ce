package VASSAL.build.module.map;

import VASSAL.build.Buildable;
import VASSAL.build.module.Map;
import VASSAL.tools.FormattedString;

import java.awt.Color;
import java.awt.Graphics;
import java.awt.Point;
import java.awt.event.MouseEvent;

/** Its ancestors differ between 3.6 and 3.8; nothing of ours depends on them. */
public class LOS_Thread {
  protected Map map;
  protected Point anchor;
  protected Point arrow;
  protected boolean drawRange;
  protected boolean initializing;
  protected Color rangeFg;
  protected Color rangeBg;
  protected Point lastAnchor;
  protected Point lastArrow;
  protected String anchorLocation;
  protected String lastLocation;
  protected String lastRange;
  protected FormattedString reportFormat;

  public native boolean isVisible();

  public native void addTo(Buildable parent);

  public native void removeFrom(Buildable parent);

  public native String[] getAttributeNames();

  public native String[] getAttributeDescriptions();

  public native Class<?>[] getAttributeTypes();

  public native void setAttribute(String key, Object value);

  public native String getAttributeValueString(String key);

  public native void draw(Graphics g, Map m);

  protected native void launch();

  public native void mousePressed(MouseEvent e);

  public native void mouseDragged(MouseEvent e);

  public native void mouseReleased(MouseEvent e);
}
