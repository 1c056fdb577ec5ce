package hexsight.companion;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Reads a file from its start to its end, and the digest of what lies behind its head. */
final class MemberReader {
  static final String AGAIN = " Export the module again.";
  private static final int CHUNK = 1 << 16;

  private final InputStream in;
  private final String where;
  private final MessageDigest digest;

  MemberReader(InputStream in, String where) {
    this.in = in;
    this.where = where;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    }
    catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  BrokenFileException broken(String what) {
    return new BrokenFileException(where, what);
  }

  /** The head, which the digest leaves out. */
  ByteBuffer head(int length, byte[] magic, String kind) throws IOException, BrokenFileException {
    final byte[] head = new byte[length];
    int have = 0;
    while (have < length) {
      final int got = in.read(head, have, length - have);
      if (got < 0) {
        break;
      }
      have += got;
    }
    if (have < magic.length || !Arrays.equals(Arrays.copyOf(head, magic.length), magic)) {
      throw broken("it is no " + kind + "." + AGAIN);
    }
    if (have < length) {
      throw cutOff();
    }
    return ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The next bytes. */
  byte[] take(int length) throws IOException, BrokenFileException {
    final byte[] out = new byte[length];
    int have = 0;
    while (have < length) {
      final int got = in.read(out, have, Math.min(CHUNK, length - have));
      if (got < 0) {
        throw cutOff();
      }
      digest.update(out, have, got);
      have += got;
    }
    return out;
  }

  /** Pass over bytes that are not needed, but for the digest. */
  void skip(long length) throws IOException, BrokenFileException {
    final byte[] chunk = new byte[CHUNK];
    long left = length;
    while (left > 0) {
      final int got = in.read(chunk, 0, (int) Math.min(CHUNK, left));
      if (got < 0) {
        throw cutOff();
      }
      digest.update(chunk, 0, got);
      left -= got;
    }
  }

  /** Nothing may follow, and the content must be what the head says. */
  void finish(byte[] expected) throws IOException, BrokenFileException {
    if (in.read() >= 0) {
      throw broken("it is too long." + AGAIN);
    }
    if (!MessageDigest.isEqual(digest.digest(), expected)) {
      throw broken("its content is damaged." + AGAIN);
    }
  }

  /** Lines of a block of text that line ends fill up. */
  String[] lines(byte[] block) throws BrokenFileException {
    int end = block.length;
    while (end > 0 && block[end - 1] == '\n') {
      end--;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder()
        .decode(ByteBuffer.wrap(block, 0, end)).toString().split("\n", -1);
    }
    catch (CharacterCodingException e) {
      throw broken("its names are damaged." + AGAIN);
    }
  }

  BrokenFileException failed(IOException e) {
    return e instanceof EOFException
      ? cutOff() : broken(e.getMessage() == null ? e.toString() : e.getMessage());
  }

  private BrokenFileException cutOff() {
    return broken("it is cut off." + AGAIN);
  }
}
