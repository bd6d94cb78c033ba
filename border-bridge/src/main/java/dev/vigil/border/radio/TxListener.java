package dev.vigil.border.radio;

/** Hears what became of one frame. */
@FunctionalInterface
public interface TxListener {
  /** Called once, on the link's thread. */
  void sent(TxReport report);
}
