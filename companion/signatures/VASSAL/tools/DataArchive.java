package VASSAL.tools;

import java.io.IOException;
import java.io.InputStream;

public class DataArchive {
  public native InputStream getInputStream(String name) throws IOException;
}
