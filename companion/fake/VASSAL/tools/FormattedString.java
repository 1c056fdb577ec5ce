package VASSAL.tools;

import java.util.HashMap;
import java.util.Map;

/** An imitation for tests: $names$ are replaced. */
public class FormattedString {
  private final Map<String, String> properties = new HashMap<>();
  private String format = "";

  public void setFormat(String text) {
    format = text;
  }

  public void setProperty(String name, String value) {
    properties.put(name, value);
  }

  public String getText() {
    String out = format;
    for (final Map.Entry<String, String> e : properties.entrySet()) {
      out = out.replace("$" + e.getKey() + "$", e.getValue());
    }
    return out;
  }
}
