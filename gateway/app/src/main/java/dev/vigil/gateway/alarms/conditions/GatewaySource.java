package dev.vigil.gateway.alarms.conditions;

/** Where a kind of alarm reads a state of the gateway; each such kind has its own interface. */
public interface GatewaySource {
  /** Called before each round, in which several rules may read the same sample. */
  default void sample() {}
}
