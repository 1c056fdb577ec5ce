package VASSAL.build;

import VASSAL.build.module.Chatter;
import VASSAL.tools.DataArchive;
import VASSAL.tools.KeyStrokeListener;

public class GameModule {
  public static native GameModule getGameModule();

  public native DataArchive getDataArchive();

  public native Chatter getChatter();

  public native void addKeyStrokeListener(KeyStrokeListener listener);
}
