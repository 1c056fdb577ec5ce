package hexsight.companion;

import java.util.function.IntPredicate;

/**
 * The level of one end of a thread, which a player moves up and down by key. It is kept from
 * hex to hex: in one that has no such level it is the nearest below, and comes back later.
 */
final class LevelChoice {
  private int wanted;
  private int least;
  private int most;

  /** Back to the ground. */
  void reset() {
    wanted = 0;
    least = 0;
    most = 0;
  }

  /** The Location meant, of those of a hex from the lowest to the highest. */
  int of(int[] levels, IntPredicate isGround) {
    int ground = 0;
    while (ground < levels.length - 1 && !isGround.test(levels[ground])) {
      ground++;
    }
    least = -ground;
    most = levels.length - 1 - ground;
    return levels[ground + Math.max(least, Math.min(wanted, most))];
  }

  /** One up or down. */
  void move(int by) {
    // From what is seen, so that a key never does nothing because of an earlier, higher hex.
    final int seen = Math.max(least, Math.min(wanted, most));
    wanted = Math.max(least, Math.min(seen + by, most));
  }
}
