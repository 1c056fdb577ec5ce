package hexsight.companion;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The boards of a module, each read when it is first asked for. */
final class Boards {
  static final String FOLDER = "hexsight/companion/";

  // Arrays have no more.
  private static final long MOST_BYTES = Integer.MAX_VALUE - 64;

  /** Opens a member of the module. */
  interface Members {
    InputStream open(String name) throws IOException;
  }

  private final String[] slugs;
  private final Members members;
  private final long most;
  private final Consumer<String> complain;
  private final Map<String, BoardLines> known = new HashMap<>();
  private final Map<String, String> slugOf = new HashMap<>();
  private final Set<String> told = new HashSet<>();
  private boolean listed;

  /**
   * @param tables names of the files, without folder and extension, with blanks between
   * @param members the module
   * @param most bytes of memory for one board
   * @param complain told one line for each file that cannot be read
   */
  Boards(String tables, Members members, long most, Consumer<String> complain) {
    slugs = tables.trim().isEmpty() ? new String[0] : tables.trim().split("\\s+");
    this.members = members;
    this.most = Math.min(most, MOST_BYTES);
    this.complain = complain;
  }

  /** A board by VASSAL's name for it; null if the module has no good table for it. */
  BoardLines find(String board) {
    if (!listed) {
      listed = true;
      list();
    }
    if (!known.containsKey(board)) {
      final String slug = slugOf.get(board);
      known.put(board, slug == null ? null : load(slug));
    }
    return known.get(board);
  }

  /** Find out which file is which board's. */
  private void list() {
    for (final String slug : slugs) {
      final String name = FOLDER + slug + ".losplaces";
      try (InputStream in = members.open(name)) {
        slugOf.put(PlacesFile.boardOf(in, name), slug);
      }
      catch (BrokenFileException e) {
        tell(e.getMessage());
      }
      catch (IOException e) {
        tell(missing(name, e));
      }
    }
  }

  private BoardLines load(String slug) {
    final String placesName = FOLDER + slug + ".losplaces";
    final String tableName = FOLDER + slug + ".lostab";
    try {
      final PlacesFile places;
      try (InputStream in = members.open(placesName)) {
        places = PlacesFile.read(in, placesName, most);
      }
      catch (IOException e) {
        tell(missing(placesName, e));
        return null;
      }
      if (places.near != null) {
        return new BoardLines(places.near, places);
      }
      final TableFile table;
      try (InputStream in = members.open(tableName)) {
        table = TableFile.read(in, tableName, most, !places.hasPairs());
      }
      catch (IOException e) {
        tell(missing(tableName, e));
        return null;
      }
      if (!places.belongsTo(table)) {
        tell("Cannot use " + tableName + ": " + placesName + " was made for another table."
          + MemberReader.AGAIN);
        return null;
      }
      return new BoardLines(table, places);
    }
    catch (BrokenFileException e) {
      tell(e.getMessage());
    }
    catch (OutOfMemoryError e) {
      tell("Cannot read " + tableName + ": VASSAL has too little memory left for it. Give it a "
        + "larger heap in its preferences.");
    }
    return null;
  }

  private static String missing(String name, IOException e) {
    return "Cannot read " + name + " in the module: "
      + (e.getMessage() == null ? e.toString() : e.getMessage()) + ".";
  }

  private void tell(String line) {
    if (told.add(line)) {
      complain.accept(line);
    }
  }
}
