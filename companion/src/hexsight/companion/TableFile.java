package hexsight.companion;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/** The answers for every pair of Locations of a board; docs/lostab.md describes the file. */
final class TableFile implements Pairs {
  static final int VERSION = 1;
  static final int HEAD = 120;
  static final int MOST_LOCATIONS = 65_000; // n(n − 1)/2 must be the length of an array
  private static final byte[] MAGIC = {'L', 'O', 'S', 'T', 'A', 'B', 0x1A, '\n'};
  // More than any name of a hex with its level needs.
  private static final int MOST_NAME_BYTES = 1024;

  final String[] names;
  final byte[] digest;
  private final byte[] answers;
  private final byte[] reasons;

  private TableFile(String[] names, byte[] digest, byte[] answers, byte[] reasons) {
    this.names = names;
    this.digest = digest;
    this.answers = answers;
    this.reasons = reasons;
  }

  /**
   * Read a table.
   *
   * @param in the file from its start; read to its end, not closed
   * @param where its name, for messages
   * @param most bytes of memory that it may take
   * @param keepReasons whether the reason codes are needed
   */
  static TableFile read(InputStream in, String where, long most, boolean keepReasons)
      throws BrokenFileException {
    final MemberReader reader = new MemberReader(in, where);
    try {
      return read(reader, most, keepReasons);
    }
    catch (IOException e) {
      throw reader.failed(e);
    }
  }

  private static TableFile read(MemberReader reader, long most, boolean keepReasons)
      throws IOException, BrokenFileException {
    final ByteBuffer head = reader.head(HEAD, MAGIC, "LOS table");
    final int version = head.getShort(8) & 0xFFFF;
    if (version != VERSION) {
      throw reader.broken("it is a table of format " + version + ", this module's classes read "
        + VERSION + "." + MemberReader.AGAIN);
    }
    final boolean hasReasons = (head.getShort(10) & 1) != 0;
    final long count = head.getInt(12) & 0xFFFFFFFFL;
    final long nameBytes = head.getLong(16);
    if (count == 0 || nameBytes < 0 || nameBytes > count * MOST_NAME_BYTES) {
      throw reader.broken("its head is damaged." + MemberReader.AGAIN);
    }
    final long pairs = count * (count - 1) / 2;
    checkRoom(reader, count, nameBytes * 4 + pairs * (hasReasons && keepReasons ? 2 : 1), most);
    final byte[] digest = new byte[32];
    head.position(88);
    head.get(digest);
    final String[] names = reader.lines(reader.take((int) nameBytes));
    final byte[] answers = reader.take((int) pairs);
    byte[] reasons = null;
    if (hasReasons && keepReasons) {
      reasons = reader.take((int) pairs);
    }
    else if (hasReasons) {
      reader.skip(pairs);
    }
    reader.finish(digest);
    if (names.length != count) {
      throw reader.broken("it names " + names.length + " Locations where its head says " + count
        + "." + MemberReader.AGAIN);
    }
    final Set<String> seen = new HashSet<>();
    for (final String name : names) {
      if (!seen.add(name)) {
        throw reader.broken("it names " + name + " twice." + MemberReader.AGAIN);
      }
    }
    return new TableFile(names, digest, answers, reasons);
  }

  /** Refuse before memory is taken what would not fit. */
  static void checkRoom(MemberReader reader, long count, long bytes, long most)
      throws BrokenFileException {
    if (count > MOST_LOCATIONS || bytes > most) {
      throw reader.broken("with " + count + " Locations it needs " + (bytes >> 20)
        + " MB, more than VASSAL has to spare. Give VASSAL a larger heap in its preferences.");
    }
  }

  @Override
  public int index(int i, int j) {
    final long a = Math.min(i, j);
    final long b = Math.max(i, j);
    return (int) (a * (2L * names.length - a - 1) / 2 + b - a - 1);
  }

  @Override
  public int answer(int index) {
    return answers[index] & 0xFF;
  }

  @Override
  public int reason(int index) {
    return reasons == null ? 0 : reasons[index] & 0xFF;
  }
}
