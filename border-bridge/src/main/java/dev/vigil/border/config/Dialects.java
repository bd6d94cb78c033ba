package dev.vigil.border.config;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.sixlowpan.NhcSupport;
import java.util.Set;

/**
 * The compressed headers that neighbours can read.
 *
 * @param common the headers that all neighbours read
 * @param readIpsec neighbours that also read compressed AH and ESP; other neighbours are added when
 *     they send such headers
 */
public record Dialects(NhcSupport common, Set<Eui64> readIpsec) {
  public Dialects {
    readIpsec = Set.copyOf(readIpsec);
  }

  /**
   * Unmodified Contiki-NG motes. A neighbour that sends compressed AH or ESP is assumed to read
   * them.
   */
  public static final Dialects DEFAULT = new Dialects(NhcSupport.CONTIKI_NG, Set.of());

  /**
   * The header compressions that one neighbour reads.
   *
   * @param sentIpsec whether it has sent compressed AH or ESP
   */
  public NhcSupport of(LinkAddress neighbour, boolean sentIpsec) {
    boolean reported =
        neighbour instanceof LinkAddress.Extended(Eui64 eui64) && readIpsec.contains(eui64);
    return reported || sentIpsec ? common.withIpsec() : common;
  }
}
