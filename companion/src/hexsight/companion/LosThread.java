package hexsight.companion;

import VASSAL.build.Buildable;
import VASSAL.build.GameModule;
import VASSAL.build.module.Chatter;
import VASSAL.build.module.Map;
import VASSAL.build.module.map.LOS_Thread;
import VASSAL.build.module.map.boardPicker.Board;
import VASSAL.tools.KeyStrokeListener;

import java.awt.Color;
import java.awt.Graphics;
import java.awt.Graphics2D;
import java.awt.Point;
import java.awt.Rectangle;
import java.awt.event.MouseEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import javax.swing.JComponent;
import javax.swing.KeyStroke;

/**
 * VASSAL's LOS thread that knows what it meets: it reads the tables that hexsight put into the
 * module. Whatever goes wrong is told in the chat once, and the thread is VASSAL's own again.
 */
public class LosThread extends LOS_Thread {
  public static final String TABLES = "hexsightTables";
  public static final String SMOKE = "hexsightSmoke";
  public static final String KEYS = "hexsightKeys";
  /** Properties for the report. */
  public static final String FROM = "hexsightFrom";
  public static final String TO = "hexsightTo";
  public static final String LINE = "hexsightLOS";

  private static final String DEFAULT_KEYS =
    "alt UP; alt DOWN; alt shift UP; alt shift DOWN";
  private static final String TITLE = "hexsight: ";
  // Of the heap that VASSAL may have, a board's table takes no more than this part.
  private static final int PART_OF_HEAP = 3;

  private String tables = "";
  private String smokeText = "";
  private String keysText = DEFAULT_KEYS;
  private SmokeNames smoke = new SmokeNames("");
  private Boards boards;
  private final LevelChoice fromLevel = new LevelChoice();
  private final LevelChoice toLevel = new LevelChoice();
  private final List<KeyStrokeListener> listeners = new ArrayList<>();
  private boolean gaveUp; // an error was told and VASSAL's own thread is drawn
  private Reading last;
  private boolean stale = true;

  /** What is known of the line between two points. */
  private static final class Reading {
    final Point anchor;
    final Point arrow;
    String from = "";
    String to = "";
    String text = "";
    Answer answer;

    Reading(Point anchor, Point arrow) {
      this.anchor = new Point(anchor);
      this.arrow = new Point(arrow);
    }
  }

  public static String getConfigureTypeName() {
    return "LOS thread with tables of hexsight";
  }

  // Attributes. Ours come behind those that VASSAL's editor shows, of which there are as many
  // as there are types: its own list of names is longer.

  @Override
  public String[] getAttributeNames() {
    return insert(super.getAttributeNames(), new String[] {TABLES, SMOKE, KEYS}, new String[0]);
  }

  @Override
  public String[] getAttributeDescriptions() {
    return insert(super.getAttributeDescriptions(), new String[] {
      "Tables of hexsight (names of files in hexsight/companion/):  ",
      "Smoke counters (name; name=Hindrance; name=Hindrance/height/base in half-levels):  ",
      "Keys for levels (target up; target down; origin up; origin down):  "}, new String[0]);
  }

  @Override
  public Class<?>[] getAttributeTypes() {
    return insert(super.getAttributeTypes(),
      new Class<?>[] {String.class, String.class, String.class}, new Class<?>[0]);
  }

  private <T> T[] insert(T[] theirs, T[] ours, T[] empty) {
    final int at = Math.min(theirs.length, Math.min(super.getAttributeTypes().length,
      Math.min(super.getAttributeNames().length, super.getAttributeDescriptions().length)));
    final List<T> out = new ArrayList<>(Arrays.asList(theirs));
    out.addAll(at, Arrays.asList(ours));
    return out.toArray(empty);
  }

  @Override
  public void setAttribute(String key, Object value) {
    if (TABLES.equals(key)) {
      tables = value == null ? "" : value.toString();
      boards = null;
    }
    else if (SMOKE.equals(key)) {
      smokeText = value == null ? "" : value.toString();
      smoke = new SmokeNames(smokeText);
    }
    else if (KEYS.equals(key)) {
      keysText = value == null ? "" : value.toString();
      if (!listeners.isEmpty()) {
        setKeys();
      }
    }
    else {
      super.setAttribute(key, value);
    }
  }

  @Override
  public String getAttributeValueString(String key) {
    if (TABLES.equals(key)) {
      return tables;
    }
    if (SMOKE.equals(key)) {
      return smokeText;
    }
    if (KEYS.equals(key)) {
      return keysText;
    }
    return super.getAttributeValueString(key);
  }

  @Override
  public void addTo(Buildable b) {
    super.addTo(b);
    guard(() -> {
      final Runnable[] moves = {
        () -> toLevel.move(1), () -> toLevel.move(-1),
        () -> fromLevel.move(1), () -> fromLevel.move(-1)};
      for (final Runnable move : moves) {
        final KeyStrokeListener listener =
          new KeyStrokeListener(e -> guard(() -> changeLevel(move)), null);
        listeners.add(listener);
      }
      setKeys();
      for (final KeyStrokeListener listener : listeners) {
        GameModule.getGameModule().addKeyStrokeListener(listener);
      }
    });
  }

  @Override
  public void removeFrom(Buildable b) {
    super.removeFrom(b);
    guard(() -> listeners.forEach(listener -> listener.setKeyStroke(null)));
  }

  private void setKeys() {
    final String[] given = keysText.split(";", -1);
    for (int k = 0; k < listeners.size(); k++) {
      final String text = k < given.length ? given[k].trim() : "";
      final KeyStroke stroke = KeyStroke.getKeyStroke(text);
      if (stroke == null && !text.isEmpty()) {
        tell(text + " is no key. Write it as Java does, such as alt UP or ctrl F3, in the "
          + "properties of the LOS thread.");
      }
      listeners.get(k).setKeyStroke(stroke);
    }
  }

  private void changeLevel(Runnable move) {
    if (isVisible() && !initializing) {
      read(); // what levels there are to move between
      move.run();
      stale = true;
      map.repaint();
    }
  }

  // What the player does.

  @Override
  protected void launch() {
    fromLevel.reset();
    toLevel.reset();
    stale = true;
    super.launch();
  }

  @Override
  public void mousePressed(MouseEvent e) {
    super.mousePressed(e);
    stale = true;
  }

  @Override
  public void mouseDragged(MouseEvent e) {
    super.mouseDragged(e);
    // VASSAL only paints the line again, but the text at its end is larger than its own.
    if (isVisible()) {
      stale = true;
      map.repaint();
    }
  }

  @Override
  public void mouseReleased(MouseEvent e) {
    stale = true;
    guard(this::prepareReport);
    super.mouseReleased(e);
  }

  /** Give the report its properties; VASSAL sends it. */
  private void prepareReport() {
    String from = anchorLocation;
    String to = lastLocation;
    String line = "";
    final Reading reading = isVisible() && !initializing ? read() : null;
    if (reading != null) {
      from = reading.from;
      to = reading.to;
      line = reading.text;
      // VASSAL would name the hex that was new last, not that under the arrow.
      lastLocation = nameAt(arrow);
      if (reading.answer != null) {
        lastRange = String.valueOf(reading.answer.range);
      }
    }
    reportFormat.setProperty(FROM, from);
    reportFormat.setProperty(TO, to);
    reportFormat.setProperty(LINE, line.isEmpty() ? "no table for this board" : line);
  }

  // What the player sees.

  @Override
  public void draw(Graphics g, Map m) {
    if (!isVisible() || initializing || gaveUp || !(g instanceof Graphics2D)
        || !guard(() -> paint((Graphics2D) g))) {
      super.draw(g, m);
    }
  }

  private boolean paint(Graphics2D g) {
    final Reading reading = read();
    if (reading == null) {
      return false;
    }
    final double scale = g.getDeviceConfiguration().getDefaultTransform().getScaleX();
    final List<String> lines = new ArrayList<>();
    final String range = reading.answer != null && drawRange
      ? ", range " + reading.answer.range : "";
    lines.add(reading.from + " \u2192 " + reading.to + range);
    lines.add(reading.text);
    ThreadPainter.paint(g, map.mapToDrawing(anchor, scale), map.mapToDrawing(arrow, scale),
      reading.answer, lines, scale, new Color[] {rangeFg, rangeBg}, view(scale));
    lastAnchor = anchor;
    lastArrow = arrow;
    return true;
  }

  private Rectangle view(double scale) {
    final JComponent shown = map.getView();
    if (shown == null) {
      return null;
    }
    final Rectangle r = shown.getVisibleRect();
    return new Rectangle((int) (r.x * scale), (int) (r.y * scale), (int) (r.width * scale),
      (int) (r.height * scale));
  }

  /** The line between both ends; null where no board has a table. */
  private Reading read() {
    // Counters may move while a thread lies still.
    final boolean same = !stale && smoke.isEmpty();
    if (same && last != null && last.anchor.equals(anchor) && last.arrow.equals(arrow)) {
      return last;
    }
    last = null;
    final Board board = map.findBoard(anchor);
    final Board other = map.findBoard(arrow);
    final BoardLines lines = board == null ? null : boards().find(board.getName());
    if (lines == null) {
      return null;
    }
    final Reading out = new Reading(anchor, arrow);
    out.from = nameAt(anchor);
    out.to = nameAt(arrow);
    final int[] starts = lines.levels(out.from);
    final int[] ends = other == board ? lines.levels(out.to) : new int[0];
    if (other != board) {
      out.text = "no table reaches from board to board";
    }
    else if (starts.length == 0 || ends.length == 0) {
      out.text = "the table does not know " + (starts.length == 0 ? out.from : out.to);
    }
    else {
      final int i = fromLevel.of(starts, k -> isGround(lines.name(k)));
      final int j = toLevel.of(ends, k -> isGround(lines.name(k)));
      out.from = lines.label(i);
      out.to = lines.label(j);
      out.answer = lines.ask(i, j, SmokeCounters.on(map, board, lines, smoke));
      out.text = out.answer.text;
    }
    last = out;
    stale = false;
    return out;
  }

  private static boolean isGround(String name) {
    return name.indexOf('@') < 0;
  }

  private Boards boards() {
    if (boards == null) {
      boards = new Boards(tables,
        name -> GameModule.getGameModule().getDataArchive().getInputStream(name),
        Runtime.getRuntime().maxMemory() / PART_OF_HEAP, this::tell);
      if (!smoke.wrongPart().isEmpty()) {
        tell("Smoke counter " + smoke.wrongPart() + " is not understood. Write name=Hindrance "
          + "in the properties of the LOS thread.");
      }
    }
    return boards;
  }

  private String nameAt(Point p) {
    return SmokeCounters.nameAt(map, p);
  }

  // What goes wrong.

  private interface Step {
    boolean run();
  }

  private void guard(Runnable step) {
    guard(() -> {
      step.run();
      return true;
    });
  }

  /** Do what must not disturb VASSAL; whether it was done. */
  private boolean guard(Step step) {
    try {
      return step.run();
    }
    catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      if (!gaveUp) {
        gaveUp = true;
        tell("The LOS thread cannot show lines of sight here (" + e + ") and is VASSAL's own "
          + "now. Please tell the maker of the module.");
      }
      return false;
    }
  }

  /** One line in the own chat; the others need not know. */
  private void tell(String line) {
    try {
      final Chatter chat = GameModule.getGameModule().getChatter();
      chat.show("- " + TITLE + line);
    }
    catch (RuntimeException | LinkageError e) {
      // While a module is loaded there may be no chat yet.
      System.err.println(TITLE + line);
    }
  }
}
