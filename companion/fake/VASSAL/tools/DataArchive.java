package VASSAL.tools;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** An imitation for tests: a module's zip. */
public class DataArchive {
  private final ZipFile zip;

  public DataArchive(String path) throws IOException {
    zip = new ZipFile(path);
  }

  public InputStream getInputStream(String name) throws IOException {
    final ZipEntry entry = zip.getEntry(name);
    if (entry == null) {
      throw new FileNotFoundException("'" + name + "' not found");
    }
    return zip.getInputStream(entry);
  }
}
