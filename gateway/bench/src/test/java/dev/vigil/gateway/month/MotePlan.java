package dev.vigil.gateway.month;

import java.util.List;

/**
 * One mote of a month.
 *
 * @param id its number in the network, from 2; 1 is the root
 * @param listen how long it waits for the answer to a non-confirmable update; 0: not at all
 * @param clock whether it has a clock of its own
 * @param windows whether it has power only in windows around faults
 * @param esp whether it has associations with the gateway
 * @param blockStore whether it stores its readings
 */
record MotePlan(
    int id,
    String ep,
    String domain,
    long wakeMillis,
    long listen,
    int checkEvery,
    int sensors,
    boolean clock,
    boolean compact,
    boolean cbor,
    boolean encrypt,
    boolean windows,
    boolean esp,
    boolean blockStore) {
  static final List<String> PATHS = List.of("temp", "load");
  static final int LIFETIME_SECONDS = 86_400;

  /** The same mote with a block store. */
  MotePlan withBlockStore() {
    return new MotePlan(
        id,
        ep,
        domain,
        wakeMillis,
        listen,
        checkEvery,
        sensors,
        clock,
        compact,
        cbor,
        encrypt,
        windows,
        esp,
        true);
  }
}
