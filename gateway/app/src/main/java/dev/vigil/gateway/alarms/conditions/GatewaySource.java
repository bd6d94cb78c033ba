package dev.vigil.gateway.alarms.conditions;

/** The source of a kind of alarm that watches the gateway; each such kind has its own interface. */
public interface GatewaySource {
  /** Called before each round, in which several rules may read the same sample. */
  default void sample() {}
}
