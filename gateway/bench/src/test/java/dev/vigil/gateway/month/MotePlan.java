package dev.vigil.gateway.month;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One mote of a month.
 *
 * @param id its number in the network, from 2; 1 is the root
 * @param listen how long it waits for the answer to a non-confirmable update; 0: not at all
 * @param clock whether it has a clock of its own
 * @param windows whether it has power only in windows around faults
 * @param sa its file of associations; null: none
 * @param archive the file of its archive; null: none
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
    @Nullable String sa,
    @Nullable String archive) {
  static final List<String> PATHS = List.of("temp", "load");
  static final int LIFETIME_SECONDS = 86_400;
}
