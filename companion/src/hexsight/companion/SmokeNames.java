package hexsight.companion;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Names of smoke counters: <code>Smoke; White Phosphorus=2; Smoke upstairs=3/4/2</code> with
 * Hindrance, height and base in half-levels where they differ from the rule set's.
 */
final class SmokeNames {
  static final int OF_RULES = -1;

  /** What a counter's name says. */
  static final class Kind {
    final int hindrance;
    final int heightHalf;
    final int baseHalf;

    Kind(int hindrance, int heightHalf, int baseHalf) {
      this.hindrance = hindrance;
      this.heightHalf = heightHalf;
      this.baseHalf = baseHalf;
    }
  }

  private final Map<String, Kind> kinds = new LinkedHashMap<>();
  private String wrong = "";

  SmokeNames(String text) {
    for (final String part : text.split(";")) {
      final int at = part.lastIndexOf('=');
      final String name = plain(at < 0 ? part : part.substring(0, at));
      if (name.isEmpty()) {
        continue;
      }
      final int[] numbers = {OF_RULES, OF_RULES, 0};
      if (at >= 0) {
        final String[] given = part.substring(at + 1).trim().split("/");
        try {
          for (int k = 0; k < given.length; k++) {
            numbers[k] = Integer.parseInt(given[k].trim());
          }
        }
        catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
          wrong = part.trim();
          continue;
        }
      }
      kinds.put(name, new Kind(numbers[0], numbers[1], numbers[2]));
    }
  }

  boolean isEmpty() {
    return kinds.isEmpty();
  }

  /** A part that could not be understood; empty if there was none. */
  String wrongPart() {
    return wrong;
  }

  /** Kind of a counter by its name, null if it is no smoke. */
  Kind find(String name) {
    return name == null ? null : kinds.get(plain(name));
  }

  private static String plain(String name) {
    return name.trim().toLowerCase(Locale.ROOT);
  }
}
