package VASSAL.tools;

import java.awt.event.ActionEvent;
import java.awt.event.ActionListener;

import javax.swing.KeyStroke;

/** An imitation for tests. */
public class KeyStrokeListener {
  private final ActionListener action;
  private KeyStroke key;

  public KeyStrokeListener(ActionListener action, KeyStroke key) {
    this.action = action;
    this.key = key;
  }

  public void setKeyStroke(KeyStroke key) {
    this.key = key;
  }

  public void keyPressed(KeyStroke stroke) {
    if (stroke != null && stroke.equals(key)) {
      action.actionPerformed(new ActionEvent(this, 0, "pressed"));
    }
  }
}
