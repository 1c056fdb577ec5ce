package VASSAL.tools;

import java.awt.event.ActionListener;

import javax.swing.KeyStroke;

public class KeyStrokeListener {
  public KeyStrokeListener(ActionListener action, KeyStroke key) {
    throw new UnsupportedOperationException("only a signature");
  }

  public native void setKeyStroke(KeyStroke key);
}
