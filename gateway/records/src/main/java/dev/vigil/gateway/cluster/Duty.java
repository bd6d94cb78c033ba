package dev.vigil.gateway.cluster;

/**
 * Work that one gateway of a cluster does for all. Its methods are called in turn, by one thread at
 * a time.
 */
public interface Duty {
  /** Begins the work at the point where a gateway last ended it. */
  void begin();

  /** Returns once the work has ended and its state is stored. */
  void end();
}
