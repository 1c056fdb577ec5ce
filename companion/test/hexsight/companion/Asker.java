package hexsight.companion;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * For tests: answers questions about the boards in a folder, one a line.
 *
 * <p>Arguments: folder, files without extension. A question: board, number of both Locations,
 * then smoke as "column row text" with text as in the list of counters, all with tabs between.
 * "open" with a folder and files goes on with others. An answer: blocked, Hindrance, range, place in thousandths, names of both, text.
 */
final class Asker {
  private Asker() {
  }

  public static void main(String[] arguments) throws IOException {
    final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    Boards boards = boards(arguments[0], arguments[1], out);
    final BufferedReader in = new BufferedReader(
      new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      final String[] f = line.split("\t");
      if (f[0].equals("open")) {
        boards = boards(f[1], f[2], out);
        continue;
      }
      final BoardLines lines = boards.find(f[0]);
      out.println(lines == null ? "NOTHING" : answer(lines, f));
    }
    out.flush();
  }

  private static Boards boards(String path, String names, PrintStream out) {
    final Path folder = Path.of(path);
    return new Boards(names,
      name -> open(folder.resolve(name.substring(Boards.FOLDER.length()))),
      Runtime.getRuntime().maxMemory() / 3, line -> out.println("COMPLAINT\t" + line));
  }

  private static InputStream open(Path path) throws IOException {
    return Files.newInputStream(path);
  }

  private static String answer(BoardLines lines, String[] f) {
    if (f[1].equals("levels")) {
      final List<String> names = new ArrayList<>();
      for (final int i : lines.levels(f[2])) {
        names.add(lines.name(i));
      }
      return String.join("\t", names);
    }
    final int i = Integer.parseInt(f[1]);
    final int j = Integer.parseInt(f[2]);
    final List<Cloud> clouds = new ArrayList<>();
    for (int k = 3; k < f.length; k++) {
      final String[] c = f[k].split(" ", 3);
      clouds.add(new Cloud(Integer.parseInt(c[0]), Integer.parseInt(c[1]),
        new SmokeNames(c[2]).find("smoke")));
    }
    final Answer a = clouds.isEmpty() ? lines.ask(i, j) : lines.ask(i, j, clouds);
    final long at = a.at == Answer.NOWHERE ? -1 : Math.round(a.at * 1000);
    return (a.known ? a.blocked ? 1 : 0 : -1) + "\t" + a.hindrance + "\t" + a.range + "\t" + at + "\t"
      + lines.name(i) + "\t" + lines.name(j) + "\t" + a.text;
  }
}
