package hexsight.companion;

import VASSAL.build.GameModule;
import VASSAL.build.module.Map;
import VASSAL.build.module.map.LOS_Thread;
import VASSAL.build.module.map.boardPicker.Board;
import VASSAL.counters.BasicPiece;
import VASSAL.counters.GamePiece;
import VASSAL.counters.Stack;
import VASSAL.tools.DataArchive;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.event.MouseEvent;
import java.awt.image.BufferedImage;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import javax.imageio.ImageIO;

import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.NodeList;

import javax.xml.parsers.DocumentBuilderFactory;

/**
 * For tests: plays a module's thread in an imitation of VASSAL, by commands with tabs between,
 * one a line. The thread is built from the element of the build file, as VASSAL does it.
 */
final class Player {
  private final Map map = new Map();
  private final PrintStream out;
  private LOS_Thread thread;
  private BufferedImage picture;

  private Player(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] arguments) throws Exception {
    final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    final DataArchive archive = new DataArchive(arguments[0]);
    GameModule.module = new GameModule(archive);
    final Player player = new Player(out);
    player.build(archive);
    final BufferedReader in = new BufferedReader(
      new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      player.command(line.split("\t"));
    }
    out.flush();
  }

  private void build(DataArchive archive) throws Exception {
    final NodeList found = DocumentBuilderFactory.newInstance().newDocumentBuilder()
      .parse(archive.getInputStream("buildFile.xml"))
      .getElementsByTagName("hexsight.companion.LosThread");
    final Element element = (Element) found.item(0);
    thread = (LOS_Thread) Class.forName(element.getTagName()).getConstructor().newInstance();
    final NamedNodeMap given = element.getAttributes();
    for (int k = 0; k < given.getLength(); k++) {
      thread.setAttribute(given.item(k).getNodeName(), given.item(k).getNodeValue());
    }
    thread.addTo(map);
  }

  private void command(String[] f) throws IOException {
    switch (f[0]) {
    case "board": // name, x, y, width, height
      map.boards.add(new Board(f[1], new Rectangle(number(f[2]), number(f[3]), number(f[4]),
        number(f[5]))));
      break;
    case "hex": // board, name, x, y
      board(f[1]).add(f[2], number(f[3]), number(f[4]));
      break;
    case "piece": // board, hex, names
      final Point at = board(f[1]).centre(f[2]);
      at.translate(3, -2);
      if (f.length == 4) {
        map.pieces.add(new BasicPiece(f[3], at));
      }
      else {
        final GamePiece[] all = new GamePiece[f.length - 3];
        for (int k = 0; k < all.length; k++) {
          all[k] = new BasicPiece(f[k + 3], at);
        }
        map.pieces.add(new Stack(all));
      }
      break;
    case "set": // attribute, value
      thread.setAttribute(f[1], f.length > 2 ? f[2] : "");
      break;
    case "get":
      out.println(thread.getAttributeValueString(f[1]));
      break;
    case "attributes":
      out.println(String.join(" ", thread.getAttributeNames()));
      out.println(thread.getAttributeDescriptions().length + " "
        + thread.getAttributeTypes().length);
      break;
    case "push":
      thread.push();
      break;
    case "press": // board, hex
      thread.mousePressed(event(f));
      break;
    case "drag":
      thread.mouseDragged(event(f));
      break;
    case "release":
      thread.mouseReleased(event(f));
      break;
    case "key":
      GameModule.module.press(f[1]);
      break;
    case "zoom":
      map.zoom = Double.parseDouble(f[1]);
      break;
    case "picture": // file to draw over, or size
      picture = f.length == 2 ? ImageIO.read(new File(f[1]))
        : new BufferedImage(number(f[1]), number(f[2]), BufferedImage.TYPE_INT_RGB);
      map.getView().setSize(picture.getWidth(), picture.getHeight());
      break;
    case "draw":
      draw();
      break;
    case "save":
      ImageIO.write(picture, "png", new File(f[1]));
      break;
    case "chat":
      GameModule.module.getChatter().lines.forEach(out::println);
      GameModule.module.getChatter().lines.clear();
      break;
    case "fail":
      map.failing = true;
      break;
    case "repaints":
      out.println(map.repaints);
      map.repaints = 0;
      break;
    case "plain":
      out.println(thread.plain);
      break;
    case "colors": // along the line from hex to hex: letters for what is seen
      out.println(colors(board(f[1]).centre(f[2]), board(f[1]).centre(f[3])));
      break;
    case "across": // the middle of the line from hex to hex, from left to right
      final Point m = middle(board(f[1]).centre(f[2]), board(f[1]).centre(f[3]));
      out.println(colors(new Point(m.x - 20, m.y), new Point(m.x + 20, m.y)));
      break;
    default:
      throw new IllegalArgumentException(f[0]);
    }
  }

  private void draw() {
    final Graphics2D g = picture.createGraphics();
    thread.draw(g, map);
    g.dispose();
  }

  private static Point middle(Point a, Point b) {
    return new Point((a.x + b.x) / 2, (a.y + b.y) / 2);
  }

  private String colors(Point a, Point b) {
    final StringBuilder seen = new StringBuilder();
    final int steps = 200;
    for (int k = 0; k <= steps; k++) {
      final int x = (int) Math.round((a.x + (b.x - a.x) * (double) k / steps) * map.zoom);
      final int y = (int) Math.round((a.y + (b.y - a.y) * (double) k / steps) * map.zoom);
      seen.append(letter(new Color(picture.getRGB(x, y))));
    }
    return seen.toString();
  }

  private static char letter(Color c) {
    final Color[] known = {
      ThreadPainter.CLEAR, ThreadPainter.HINDERED, ThreadPainter.BLOCKED, ThreadPainter.UNKNOWN};
    for (int k = 0; k < known.length; k++) {
      final int away = Math.abs(c.getRed() - known[k].getRed())
        + Math.abs(c.getGreen() - known[k].getGreen())
        + Math.abs(c.getBlue() - known[k].getBlue());
      if (away < 60) {
        return "ghb?".charAt(k);
      }
    }
    return '.';
  }

  private MouseEvent event(String[] f) {
    final Point p = f.length > 2 ? board(f[1]).centre(f[2]) : new Point(-5, -5);
    return new MouseEvent(map.getView(), MouseEvent.MOUSE_PRESSED, 0, 0, p.x + 2, p.y + 1, 1,
      false, MouseEvent.BUTTON1);
  }

  private Board board(String name) {
    for (final Board board : map.boards) {
      if (board.getName().equals(name)) {
        return board;
      }
    }
    throw new IllegalArgumentException(name);
  }

  private static int number(String text) {
    return Integer.parseInt(text);
  }
}
