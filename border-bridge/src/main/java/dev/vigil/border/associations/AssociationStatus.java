package dev.vigil.border.associations;

import dev.vigil.border.ipv6.Ipv6Address;
import java.util.List;
import java.util.function.Supplier;

/**
 * An association as operators see it, without its keys. Its counters may be read from any thread
 * while they change.
 *
 * @param line of the file
 * @param direction {@code in}, {@code out} or {@code store}
 * @param store the name of its block store; empty for the unnamed one and for other directions
 * @param header {@code esp} or {@code ah}
 * @param warnings warnings for the operator about this association
 */
public record AssociationStatus(
    int line,
    String direction,
    String store,
    String header,
    String profile,
    int spi,
    Ipv6Address source,
    Ipv6Address destination,
    List<String> warnings,
    Supplier<AssociationState> state,
    Supplier<Figures> figures) {
  public AssociationStatus {
    warnings = List.copyOf(warnings);
  }

  /**
   * Traffic since the start.
   *
   * @param octets of the packets in clear
   * @param policyDrops packets that this association must not carry, or should have carried
   * @param otherDrops malformed packets, and packets of an association that carries none
   * @param octetsSaved octets that compressed AH and ESP headers saved on the air; counted for the
   *     inner association, in received packets before they are opened
   */
  public record Figures(
      long packets,
      long octets,
      long icvFailures,
      long replays,
      long policyDrops,
      long otherDrops,
      long octetsSaved) {}

  /** The far end; for a block store, the mote that stores. */
  public Ipv6Address peer() {
    return direction.equals("out") ? destination : source;
  }
}
