package hexsight.companion;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Answers questions about the lines of one board. */
final class BoardLines {
  private final Pairs pairs;
  private final PlacesFile file;
  private final Map<String, int[]> byLocation = new HashMap<>();

  BoardLines(Pairs pairs, PlacesFile file) {
    this.pairs = pairs;
    this.file = file;
    final Map<String, List<Integer>> found = new HashMap<>();
    for (int i = 0; i < file.places.length; i++) {
      final String location = file.places[i].location;
      if (!location.isEmpty()) {
        found.computeIfAbsent(location, k -> new ArrayList<>()).add(i);
      }
    }
    for (final Map.Entry<String, List<Integer>> e : found.entrySet()) {
      final int[] here = e.getValue().stream().mapToInt(Integer::intValue).toArray();
      // A name of two hexes tells of neither: no answer is better than a wrong one.
      if (Arrays.stream(here).allMatch(i -> sameHex(i, here[0]))) {
        byLocation.put(e.getKey(), here);
      }
    }
  }

  /** Locations of the hex that VASSAL calls so, the lowest first; empty if there is none. */
  int[] levels(String location) {
    return byLocation.getOrDefault(location, new int[0]);
  }

  /** Name of a Location in the table, such as <code>K15@2</code>. */
  String name(int i) {
    return file.places[i].name;
  }

  /** Name of a Location for people, such as <code>K15 level 2</code>. */
  String label(int i) {
    return file.places[i].label;
  }

  /** Range in hexes. */
  int range(int i, int j) {
    final PlacesFile.Place a = file.places[i];
    final PlacesFile.Place b = file.places[j];
    return range(a.column, a.row, b.column, b.row);
  }

  /** A cloud of a counter in the hex of a Location. */
  Cloud cloud(int i, SmokeNames.Kind kind) {
    return new Cloud(file.places[i].column, file.places[i].row, kind);
  }

  /** The answer of the map alone. */
  Answer ask(int i, int j) {
    return ask(i, j, Collections.emptyList());
  }

  /** The answer with smoke on the map. */
  Answer ask(int i, int j, List<Cloud> clouds) {
    final int range = range(i, j);
    final int pair = i == j ? 0 : pairs.index(i, j);
    if (pair == Pairs.FAR) {
      return new Answer("farther than the table reaches, " + file.most + " hexes", range);
    }
    final int value = i == j ? 0 : pairs.answer(pair);
    if ((value & Pairs.BLOCKED) != 0) {
      final PlacesFile.Entry why = file.entry(pair, pairs.reason(pair));
      if (why == null) {
        return new Answer(true, 0, "blocked", range, Answer.NOWHERE);
      }
      return new Answer(true, 0, why.text, range, share(why, i, j));
    }
    final int terrain = value & Pairs.HINDRANCE;
    final int smoke = i == j || clouds.isEmpty() ? 0 : smoke(i, j, clouds);
    final int total = terrain + smoke;
    if (smoke > 0 && total >= file.rules.limit) {
      return new Answer(true, 0, "blocked by Hindrances, " + total + " with smoke", range,
        Answer.NOWHERE);
    }
    String text = "clear";
    if (total > 0) {
      text = "clear, hindered by " + total;
    }
    if (smoke > 0) {
      text += " (" + smoke + " of it smoke)";
    }
    return new Answer(false, total, text, range, Answer.NOWHERE);
  }

  /** Where along the line the place of what blocks lies nearest to it. */
  private double share(PlacesFile.Entry why, int i, int j) {
    final PlacesFile.Place a = file.places[i];
    final PlacesFile.Place b = file.places[j];
    final double dx = (double) b.x - a.x;
    final double dy = (double) b.y - a.y;
    final double length2 = dx * dx + dy * dy;
    if (!why.placed || length2 == 0) {
      return Answer.NOWHERE;
    }
    final double t = ((why.x - a.x) * dx + (why.y - a.y) * dy) / length2;
    return Math.max(0.0, Math.min(1.0, t));
  }

  /** Of all smoke at one range the densest hex counts, apart from terrain (A6.7, A24.2). */
  private int smoke(int i, int j, List<Cloud> clouds) {
    final PlacesFile.Place a = file.places[i];
    final PlacesFile.Place b = file.places[j];
    final Map<List<Integer>, Integer> byHex = new HashMap<>();
    for (final Cloud cloud : clouds) {
      if (meets(a, b, cloud)) {
        final int amount = or(cloud.kind.hindrance, file.rules.hindrance);
        byHex.merge(List.of(cloud.column, cloud.row), amount, Integer::sum);
      }
    }
    final Map<Integer, Integer> byRange = new HashMap<>();
    for (final Map.Entry<List<Integer>, Integer> e : byHex.entrySet()) {
      final int away = range(a.column, a.row, e.getKey().get(0), e.getKey().get(1));
      byRange.merge(away, Math.min(e.getValue(), file.rules.hexLimit), Math::max);
    }
    return byRange.values().stream().mapToInt(Integer::intValue).sum();
  }

  private boolean meets(PlacesFile.Place a, PlacesFile.Place b, Cloud cloud) {
    final int base = baseOf(cloud);
    if (base == Integer.MIN_VALUE) {
      return false;
    }
    final int bottom = base + cloud.kind.baseHalf;
    final int top = bottom + or(cloud.kind.heightHalf, file.rules.heightHalf);
    final int high = Math.max(a.sightHalf, b.sightHalf);
    final int low = Math.min(a.sightHalf, b.sightHalf);
    final boolean atA = cloud.column == a.column && cloud.row == a.row;
    final boolean atB = cloud.column == b.column && cloud.row == b.row;
    if (atA && atB) {
      return SmokeRules.inHex(bottom, top, high, low);
    }
    if (atA) {
      return SmokeRules.atEnd(bottom, top, a.sightHalf, b.sightHalf);
    }
    if (atB) {
      return SmokeRules.atEnd(bottom, top, b.sightHalf, a.sightHalf);
    }
    if (!HexLine.crosses(a.column, a.row, b.column, b.row, cloud.column, cloud.row)) {
      return false;
    }
    final int fromA = range(a.column, a.row, cloud.column, cloud.row);
    final int fromB = range(cloud.column, cloud.row, b.column, b.row);
    final boolean aIsHigh = a.sightHalf >= b.sightHalf;
    return file.rules.between(bottom, top, high, low, aIsHigh ? fromA : fromB,
      aIsHigh ? fromB : fromA);
  }

  /** Ground of a cloud's hex. */
  private int baseOf(Cloud cloud) {
    for (final PlacesFile.Place p : file.places) {
      if (p.column == cloud.column && p.row == cloud.row) {
        return p.baseHalf;
      }
    }
    return Integer.MIN_VALUE;
  }

  private boolean sameHex(int i, int j) {
    return file.places[i].column == file.places[j].column
      && file.places[i].row == file.places[j].row;
  }

  private static int range(int columnA, int rowA, int columnB, int rowB) {
    return HexLine.range(columnA, rowA, columnB, rowB);
  }

  private static int or(int given, int other) {
    return given == SmokeNames.OF_RULES ? other : given;
  }
}
