package VASSAL.build.module;

public class Chatter {
  public native void show(String line);
}
