package dev.vigil.border.cost;

import java.util.List;

/**
 * The cost of one message.
 *
 * @param hops in path order, at least one
 * @param aesBlocks at the mote, for its transport and its first hop
 * @param moteMicrojoules energy at the mote
 * @param relayMicrojoules energy at all routers on the path together
 * @param latencyMillis until the gateway has the last frame
 * @param batteryDays of the mote, sleeping between its messages
 * @param alwaysOnDays of the same mote if it listened instead of sleeping
 */
public record Cost(
    List<Hop> hops,
    int aesBlocks,
    double moteMicrojoules,
    double relayMicrojoules,
    double latencyMillis,
    double batteryDays,
    double alwaysOnDays) {
  public Cost {
    hops = List.copyOf(hops);
  }

  /**
   * The frames of a hop.
   *
   * @param frames their number
   * @param octets on the air, PHY headers included
   * @param airMillis their time on the air
   * @param aesBlocks of link security, at each of its two ends
   */
  public record Hop(int frames, int octets, double airMillis, int aesBlocks) {}

  /** Octets on the air on all hops. */
  public int octets() {
    return hops.stream().mapToInt(Hop::octets).sum();
  }

  /** The energy of the mote and of the routers. */
  public double microjoules() {
    return moteMicrojoules + relayMicrojoules;
  }
}
