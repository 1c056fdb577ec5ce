package VASSAL.build.module;

import java.util.ArrayList;
import java.util.List;

/** An imitation for tests: keeps what was said. */
public class Chatter {
  public final List<String> lines = new ArrayList<>();

  public void show(String line) {
    lines.add("only here: " + line);
  }

  public void send(String line) {
    lines.add("to all: " + line);
  }
}
