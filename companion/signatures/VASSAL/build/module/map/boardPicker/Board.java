package VASSAL.build.module.map.boardPicker;

public class Board {
  public native String getName();
}
