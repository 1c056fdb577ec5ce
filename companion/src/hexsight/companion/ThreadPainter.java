package hexsight.companion;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.Stroke;
import java.awt.geom.Line2D;
import java.util.List;

/**
 * Draws the thread. Colour never speaks alone: a clear line is whole, a hindered one carries
 * its number, a blocked one has a bar and a gap where it is blocked and is dashed behind it.
 */
final class ThreadPainter {
  static final Color CLEAR = new Color(0, 130, 60);
  static final Color HINDERED = new Color(225, 120, 0);
  static final Color BLOCKED = new Color(200, 0, 20);
  static final Color UNKNOWN = new Color(110, 110, 110);
  private static final Color CASING = new Color(255, 255, 255, 200);
  private static final double GAP = 16;
  private static final double BAR = 9;
  private static final int MARGIN = 5;
  // A blocked line whose place is not known is whole up to here.
  private static final double HALF = 0.5;

  private final Graphics2D g;
  private final double scale;

  private ThreadPainter(Graphics2D g, double scale) {
    this.g = g;
    this.scale = scale;
  }

  /**
   * Draw a thread.
   *
   * @param target where to draw; left as it was
   * @param from first end, in pixels of the target
   * @param to second end
   * @param answer what is said of the line, null if nothing is known
   * @param lines text at the second end
   * @param scale pixels of the target for a pixel of a plain screen
   * @param colors of the text and of what is behind it
   * @param view what of the target is seen, null for anything
   */
  static void paint(Graphics2D target, Point from, Point to, Answer answer, List<String> lines,
                    double scale, Color[] colors, Rectangle view) {
    final Graphics2D g = (Graphics2D) target.create();
    try {
      g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING,
        RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      final ThreadPainter painter = new ThreadPainter(g, scale);
      painter.line(from, to, answer);
      if (answer != null && !answer.blocked && answer.hindrance > 0) {
        painter.number(from, to, answer.hindrance);
      }
      painter.label(from, to, lines, colors, view);
    }
    finally {
      g.dispose();
    }
  }

  private void line(Point from, Point to, Answer answer) {
    final Color color = colorOf(answer);
    final double length = from.distance(to);
    if (answer == null || !answer.blocked || length == 0) {
      stroke(from, to, 0, 1, color, false);
      return;
    }
    final double at = answer.at == Answer.NOWHERE ? HALF : answer.at;
    final double behind = at + GAP * scale / length;
    stroke(from, to, 0, at, color, false);
    if (behind < 1) {
      stroke(from, to, behind, 1, color, true);
    }
    if (answer.at != Answer.NOWHERE) {
      bar(from, to, at, color);
    }
  }

  static Color colorOf(Answer answer) {
    if (answer == null || !answer.known) {
      return UNKNOWN;
    }
    if (answer.blocked) {
      return BLOCKED;
    }
    return answer.hindrance > 0 ? HINDERED : CLEAR;
  }

  private void stroke(Point a, Point b, double first, double last, Color color, boolean dashed) {
    final Line2D part = new Line2D.Double(
      a.x + (b.x - a.x) * first, a.y + (b.y - a.y) * first,
      a.x + (b.x - a.x) * last, a.y + (b.y - a.y) * last);
    draw(part, color, dashed);
  }

  /** A short bar across the line. */
  private void bar(Point a, Point b, double at, Color color) {
    final double length = a.distance(b);
    final double x = a.x + (b.x - a.x) * at;
    final double y = a.y + (b.y - a.y) * at;
    final double ox = -(b.y - a.y) / length * BAR * scale;
    final double oy = (b.x - a.x) / length * BAR * scale;
    draw(new Line2D.Double(x - ox, y - oy, x + ox, y + oy), color, false);
  }

  private void draw(Line2D part, Color color, boolean dashed) {
    g.setStroke(pen(5, dashed));
    g.setColor(CASING);
    g.draw(part);
    g.setStroke(pen(3, dashed));
    g.setColor(color);
    g.draw(part);
  }

  private Stroke pen(double width, boolean dashed) {
    final float w = (float) (width * scale);
    if (!dashed) {
      return new BasicStroke(w, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND);
    }
    final float dash = (float) (6 * scale);
    return new BasicStroke(w, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1,
      new float[] {dash, dash}, 0);
  }

  /** The Hindrance in the middle of the line. */
  private void number(Point a, Point b, int hindrance) {
    font(Font.BOLD, 13);
    final FontMetrics fm = g.getFontMetrics();
    final String text = "+" + hindrance;
    final int size = Math.max(fm.stringWidth(text), fm.getAscent()) + (int) (8 * scale);
    final int x = (a.x + b.x) / 2;
    final int y = (a.y + b.y) / 2;
    g.setColor(HINDERED);
    g.fillOval(x - size / 2, y - size / 2, size, size);
    g.setColor(Color.BLACK);
    g.drawString(text, x - fm.stringWidth(text) / 2, y + (fm.getAscent() - fm.getDescent()) / 2);
  }

  private void label(Point from, Point to, List<String> lines, Color[] colors, Rectangle view) {
    if (lines.isEmpty()) {
      return;
    }
    font(Font.PLAIN, 12);
    final FontMetrics fm = g.getFontMetrics();
    final int pad = (int) (MARGIN * scale);
    final int width = lines.stream().mapToInt(fm::stringWidth).max().orElse(0) + 2 * pad;
    final int height = lines.size() * fm.getHeight() + 2 * pad;
    final Rectangle box = beyond(from, to, width, height);
    keepIn(box, view);
    if (view != null && box.contains(to)) {
      // At the rim of what is seen: below the end, or above it.
      final int away = (int) (20 * scale);
      final boolean below = to.y + away + height <= view.y + view.height;
      box.y = below ? to.y + away : to.y - away - height;
    }
    g.setColor(colors[1]);
    g.fillRoundRect(box.x, box.y, width, height, pad, pad);
    g.setColor(colors[0]);
    for (int k = 0; k < lines.size(); k++) {
      g.drawString(lines.get(k), box.x + pad, box.y + pad + k * fm.getHeight() + fm.getAscent());
    }
  }

  /** Behind the second end, so that the text hides neither the line nor the hex. */
  private Rectangle beyond(Point from, Point to, int width, int height) {
    final double length = from.distance(to);
    final double ux = length == 0 ? 0 : (to.x - from.x) / length;
    final double uy = length == 0 ? 1 : (to.y - from.y) / length;
    final double away = 20 * scale;
    // As far as the box reaches in that direction.
    final double reach = Math.min(
      ux == 0 ? Double.MAX_VALUE : width / 2.0 / Math.abs(ux),
      uy == 0 ? Double.MAX_VALUE : height / 2.0 / Math.abs(uy));
    final double x = to.x + ux * (away + reach) - width / 2.0;
    final double y = to.y + uy * (away + reach) - height / 2.0;
    return new Rectangle((int) Math.round(x), (int) Math.round(y), width, height);
  }

  private static void keepIn(Rectangle box, Rectangle view) {
    if (view == null || view.isEmpty()) {
      return;
    }
    box.x = Math.max(view.x, Math.min(box.x, view.x + view.width - box.width));
    box.y = Math.max(view.y, Math.min(box.y, view.y + view.height - box.height));
  }

  private void font(int style, int size) {
    g.setFont(new Font(Font.DIALOG, style, size).deriveFont((float) (size * scale)));
  }
}
