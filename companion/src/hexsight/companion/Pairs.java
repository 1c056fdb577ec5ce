package hexsight.companion;

/** Answers for pairs of Locations. */
interface Pairs {
  int BLOCKED = 0x80;
  int HINDRANCE = 0x3F;
  /** Stands for a pair that is not kept. */
  int FAR = -1;

  /** Where a pair of different Locations stands; the order of both does not matter. */
  int index(int i, int j);

  /** Bit 7 blocked, low six bits Hindrance. */
  int answer(int index);

  /** Code of what blocks, 0 for none or when reasons were not kept. */
  int reason(int index);
}
