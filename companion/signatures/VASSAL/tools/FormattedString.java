package VASSAL.tools;

public class FormattedString {
  public native void setProperty(String name, String value);
}
