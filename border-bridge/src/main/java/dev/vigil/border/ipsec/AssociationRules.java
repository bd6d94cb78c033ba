package dev.vigil.border.ipsec;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.Hex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks a set of associations before any of them is used. */
public final class AssociationRules {
  /** Values of an ESP packet's first octet that unmodified Contiki-NG forwarders accept. */
  private static final Set<Integer> FORWARDED_FIRST_OCTETS = Set.of(6, 17, 58);

  private AssociationRules() {}

  /**
   * Refuses insecure associations.
   *
   * @param allowUnauthenticated whether an association may have no ICV: for measurements only
   * @return warnings for the operator about associations that may not work
   * @throws IllegalArgumentException with the names of the associations, never their keys
   */
  public static List<String> check(List<Association> associations, boolean allowUnauthenticated) {
    Set<String> names = new HashSet<>();
    Map<String, String> keys = new HashMap<>();
    Map<Selector, Association> selectors = new HashMap<>();
    List<String> warnings = new ArrayList<>();
    for (Association association : associations) {
      String name = association.name();
      if (!names.add(name)) {
        throw new IllegalArgumentException("two associations are named " + name);
      }
      for (byte[] key : keysOf(association, allowUnauthenticated)) {
        String other = keys.put(Hex.format(key), name);
        if (other != null) {
          throw new IllegalArgumentException(other + " and " + name + " share a key");
        }
      }
      Selector selector =
          new Selector(
              association.destination(), association.protection().protocol(), association.spi());
      Association same = selectors.put(selector, association);
      if (same != null) {
        throw new IllegalArgumentException(
            same.name() + " and " + name + " have the same destination, protocol and SPI");
      }
      warn(association, warnings);
    }
    return warnings;
  }

  private record Selector(Ipv6Address destination, int protocol, int spi) {}

  private static List<byte[]> keysOf(Association association, boolean allowUnauthenticated) {
    List<byte[]> keys = new ArrayList<>();
    switch (association.protection()) {
      case Association.AhProtection ah -> keys.add(ah.key());
      case Association.EspProtection esp -> {
        boolean authenticates = esp.encryption().isCombined() || esp.integrity() != Integrity.NONE;
        if (!authenticates && !allowUnauthenticated) {
          throw new IllegalArgumentException(association.name() + " has no integrity check");
        }
        byte[] cipherKey = withoutSalt(esp);
        if (cipherKey.length > 0) {
          keys.add(cipherKey);
        }
        if (esp.integrityKey().length > 0) {
          keys.add(esp.integrityKey());
        }
      }
    }
    return keys;
  }

  /** Keys that differ in their salt only are the same key: counter blocks could repeat. */
  private static byte[] withoutSalt(Association.EspProtection esp) {
    int length = esp.key().length - esp.encryption().saltLength();
    return Arrays.copyOf(esp.key(), Math.max(0, length));
  }

  private static void warn(Association association, List<String> warnings) {
    int spi = association.spi();
    boolean esp = association.protection() instanceof Association.EspProtection;
    if (esp && !FORWARDED_FIRST_OCTETS.contains(spi >>> 24)) {
      warnings.add(
          "%s: unmodified Contiki-NG forwarders may drop SPI %08x; 1100xxxx passes"
              .formatted(association.name(), spi));
    }
    if (spi == Association.DEFAULT_SPI) {
      warnings.add(
          association.name() + ": an unmodified host can serve SPI 1 for a single mote only");
    }
  }
}
