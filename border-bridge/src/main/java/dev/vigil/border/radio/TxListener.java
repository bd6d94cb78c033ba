package dev.vigil.border.radio;

/** Receives the outcome of one transmission. */
@FunctionalInterface
public interface TxListener {
  /** Called once, on the link's thread. */
  void sent(TxReport report);
}
