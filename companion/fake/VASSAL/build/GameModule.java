package VASSAL.build;

import VASSAL.build.module.Chatter;
import VASSAL.tools.DataArchive;
import VASSAL.tools.KeyStrokeListener;

import java.util.ArrayList;
import java.util.List;

import javax.swing.KeyStroke;

/** An imitation for tests. */
public class GameModule {
  public static GameModule module;

  private final DataArchive archive;
  private final Chatter chat = new Chatter();
  private final List<KeyStrokeListener> listeners = new ArrayList<>();

  public GameModule(DataArchive archive) {
    this.archive = archive;
  }

  public static GameModule getGameModule() {
    return module;
  }

  public DataArchive getDataArchive() {
    return archive;
  }

  public Chatter getChatter() {
    return chat;
  }

  public void addKeyStrokeListener(KeyStrokeListener listener) {
    listeners.add(listener);
  }

  /** A player presses a key. */
  public void press(String key) {
    for (final KeyStrokeListener listener : listeners) {
      listener.keyPressed(KeyStroke.getKeyStroke(key));
    }
  }
}
