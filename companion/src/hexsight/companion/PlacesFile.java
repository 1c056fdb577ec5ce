package hexsight.companion;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What a table does not hold: names that VASSAL gives to hexes, where Locations lie, and for
 * blocked pairs what blocks and where; docs/companion.md describes the file.
 */
final class PlacesFile {
  static final int VERSION = 1;
  static final int HEAD = 96;
  private static final byte[] MAGIC = {'L', 'O', 'S', 'P', 'L', 'C', 0x1A, '\n'};
  private static final int MOST_LINE_BYTES = 2048;
  private static final int MOST_ENTRIES = 1 << 24;

  /** A Location as VASSAL and people know it. */
  static final class Place {
    final String location;
    final String label;
    final int column;
    final int row;
    final int x;
    final int y;
    final int sightHalf;
    final int baseHalf;
    final String name;

    Place(String[] f) {
      location = f[0];
      label = f[1];
      column = Integer.parseInt(f[2]);
      row = Integer.parseInt(f[3]);
      x = Integer.parseInt(f[4]);
      y = Integer.parseInt(f[5]);
      sightHalf = Integer.parseInt(f[6]);
      baseHalf = Integer.parseInt(f[7]);
      name = f[8];
    }
  }

  /** What blocks, with its place on the board if it has one. */
  static final class Entry {
    final int code;
    final boolean placed;
    final int x;
    final int y;
    final String text;

    Entry(String[] f) {
      code = Integer.parseInt(f[0]);
      placed = !f[1].isEmpty();
      x = placed ? Integer.parseInt(f[1]) : 0;
      y = placed ? Integer.parseInt(f[2]) : 0;
      text = f[3];
    }
  }

  final String board;
  final SmokeRules rules;
  final Place[] places;
  final byte[] tableDigest;
  /** Highest range of the answers in this file; 0 if they stand in a table. */
  final int most;
  /** These answers, null if they stand in a table. */
  final NearPairs near;
  private final Entry[] entries;
  private final byte[][] planes;
  private final Entry[] byCode = new Entry[256];

  private PlacesFile(String board, SmokeRules rules, Place[] places, Entry[] entries,
                     byte[][] planes, byte[] tableDigest, int most, NearPairs near) {
    this.board = board;
    this.rules = rules;
    this.places = places;
    this.entries = entries;
    this.planes = planes;
    this.tableDigest = tableDigest;
    this.most = most;
    this.near = near;
    for (final Entry e : entries) {
      if (!e.placed && byCode[e.code & 0xFF] == null) {
        byCode[e.code & 0xFF] = e;
      }
    }
  }

  /** Read a file; parameters as for {@link TableFile#read}. */
  static PlacesFile read(InputStream in, String where, long most) throws BrokenFileException {
    final MemberReader reader = new MemberReader(in, where);
    try {
      return read(reader, most);
    }
    catch (IOException e) {
      throw reader.failed(e);
    }
    catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw reader.broken("its content is damaged." + MemberReader.AGAIN);
    }
  }

  private static PlacesFile read(MemberReader reader, long most)
      throws IOException, BrokenFileException {
    final ByteBuffer head = reader.head(HEAD, MAGIC, "list of places");
    final int version = head.getShort(8) & 0xFFFF;
    if (version != VERSION) {
      throw reader.broken("it is of format " + version + ", this module's classes read " + VERSION
        + "." + MemberReader.AGAIN);
    }
    final int width = head.getShort(10) & 0xFFFF;
    final long count = head.getInt(12) & 0xFFFFFFFFL;
    final long entryCount = head.getInt(16) & 0xFFFFFFFFL;
    final long textBytes = head.getLong(24);
    final int range = head.getInt(20);
    if (width > 3 || range < 0 || count == 0 || entryCount > MOST_ENTRIES || textBytes < 0
        || textBytes > (count + entryCount + 2) * MOST_LINE_BYTES) {
      throw reader.broken("its head is damaged." + MemberReader.AGAIN);
    }
    // A line of text becomes a few small objects.
    final long needed = textBytes * 6 + (count + entryCount) * 160;
    TableFile.checkRoom(reader, count, needed, most);
    final byte[] tableDigest = new byte[32];
    final byte[] digest = new byte[32];
    head.position(32);
    head.get(tableDigest);
    head.get(digest);
    final String[] lines = reader.lines(reader.take((int) textBytes));
    if (lines.length != 2 + count + entryCount) {
      throw reader.broken("it has " + lines.length + " lines where its head says "
        + (2 + count + entryCount) + "." + MemberReader.AGAIN);
    }
    final Place[] places = new Place[(int) count];
    for (int i = 0; i < places.length; i++) {
      places[i] = new Place(lines[2 + i].split("\t", 9));
    }
    final NearPairs near = range == 0 ? null : new NearPairs(places, range);
    final long pairs = near == null ? count * (count - 1) / 2 : near.size();
    final long bytes = needed + pairs * (near == null ? width : width + 1);
    TableFile.checkRoom(reader, count, bytes, most);
    if (near != null) {
      near.fill(reader.take((int) pairs));
    }
    final byte[][] planes = new byte[width][];
    for (int k = 0; k < width; k++) {
      planes[k] = reader.take((int) pairs);
    }
    reader.finish(digest);
    final Entry[] entries = new Entry[(int) entryCount];
    for (int k = 0; k < entries.length; k++) {
      entries[k] = new Entry(lines[2 + places.length + k].split("\t", 4));
    }
    return new PlacesFile(lines[0], new SmokeRules(lines[1]), places, entries, planes,
      tableDigest, range, near);
  }

  /** Only the board's name, from the start of a file. */
  static String boardOf(InputStream in, String where) throws BrokenFileException {
    final MemberReader reader = new MemberReader(in, where);
    try {
      reader.head(HEAD, MAGIC, "list of places");
      final ByteArrayOutputStream name = new ByteArrayOutputStream();
      for (int c = in.read(); c >= 0 && c != '\n' && name.size() < MOST_LINE_BYTES; c = in.read()) {
        name.write(c);
      }
      return reader.lines(name.toByteArray())[0];
    }
    catch (IOException e) {
      throw reader.failed(e);
    }
  }

  /** Whether it tells of each pair what blocks and where. */
  boolean hasPairs() {
    return planes.length > 0;
  }

  boolean belongsTo(TableFile table) {
    return Arrays.equals(table.digest, tableDigest) && table.names.length == places.length;
  }

  /** What blocks a pair; null if that is not known. */
  Entry entry(int pair, int code) {
    int number = 0;
    for (int k = 0; k < planes.length; k++) {
      number |= (planes[k][pair] & 0xFF) << (8 * k);
    }
    return number > 0 && number <= entries.length ? entries[number - 1] : byCode[code & 0xFF];
  }
}
