package dev.vigil.border.ipsec;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.Hex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks associations, one after another, before any of them is used. */
public final class AssociationRules {
  /** Values of an ESP packet's first octet that unmodified Contiki-NG forwarders accept. */
  private static final Set<Integer> FORWARDED_FIRST_OCTETS = Set.of(6, 17, 58);

  private final boolean allowUnauthenticated;
  private final Set<String> names = new HashSet<>();
  private final Map<String, String> keys = new HashMap<>();
  private final Map<Selector, String> selectors = new HashMap<>();

  private record Selector(Ipv6Address destination, int protocol, int spi) {}

  /**
   * @param allowUnauthenticated whether an association may lack an ICV; for measurements only
   */
  public AssociationRules(boolean allowUnauthenticated) {
    this.allowUnauthenticated = allowUnauthenticated;
  }

  /**
   * Refuses insecure associations.
   *
   * @param allowUnauthenticated whether an association may lack an ICV; for measurements only
   * @return warnings for the operator about associations that may not work
   * @throws IllegalArgumentException with the names of the associations, never their keys
   */
  public static List<String> check(List<Association> associations, boolean allowUnauthenticated) {
    AssociationRules rules = new AssociationRules(allowUnauthenticated);
    List<String> warnings = new ArrayList<>();
    for (Association association : associations) {
      rules.add(association);
      warnings(association).forEach(text -> warnings.add(association.name() + ": " + text));
    }
    return warnings;
  }

  /**
   * Adds an association, with which later ones are compared.
   *
   * @throws IllegalArgumentException with its name and the name of the one that it conflicts with,
   *     never a key
   */
  public void add(Association association) {
    String name = association.name();
    String conflict = names.add(name) ? conflict(association) : "there is another of this name";
    if (conflict != null) {
      throw new IllegalArgumentException(name + ": " + conflict);
    }
  }

  private @Nullable String conflict(Association association) {
    String name = association.name();
    for (byte[] key : keysOf(association)) {
      String other = keys.put(Hex.format(key), name);
      if (other != null) {
        return other.equals(name)
            ? "cipher and integrity have the same key"
            : other + " has the same key";
      }
    }
    Selector selector =
        new Selector(
            association.destination(), association.protection().protocol(), association.spi());
    String same = selectors.put(selector, name);
    return same == null ? null : same + " has the same destination, protocol and SPI";
  }

  private List<byte[]> keysOf(Association association) {
    List<byte[]> all = new ArrayList<>();
    switch (association.protection()) {
      case Association.AhProtection ah -> all.add(ah.key());
      case Association.EspProtection esp -> {
        boolean authenticates = esp.encryption().isCombined() || esp.integrity() != Integrity.NONE;
        if (!authenticates && !allowUnauthenticated) {
          throw new IllegalArgumentException(association.name() + ": has no integrity check");
        }
        // Keys that differ only in their salt count as the same key, because counter blocks could
        // repeat.
        byte[] cipherKey = esp.cipherKey();
        if (cipherKey.length > 0) {
          all.add(cipherKey);
        }
        if (esp.integrityKey().length > 0) {
          all.add(esp.integrityKey());
        }
      }
    }
    return all;
  }

  /** Warnings about an accepted association. */
  public static List<String> warnings(Association association) {
    List<String> warnings = new ArrayList<>();
    int spi = association.spi();
    if (association.protection() instanceof Association.EspProtection && !isForwarded(spi)) {
      warnings.add(
          "unmodified Contiki-NG forwarders may drop SPI 0x%08x: use an SPI that begins with 0x11"
              .formatted(spi));
    }
    if (spi == Association.DEFAULT_SPI) {
      warnings.add("an unmodified host can use SPI 1 with only one mote: use another SPI");
    }
    if (integrity(association.protection()) == Integrity.HMAC_SHA1_96) {
      warnings.add(
          "SHA-1 is only for hosts without newer algorithms: use a profile with xcbc or ccm8");
    }
    return warnings;
  }

  /** Whether unmodified Contiki-NG forwarders pass ESP packets with this SPI. */
  public static boolean isForwarded(int spi) {
    return FORWARDED_FIRST_OCTETS.contains(spi >>> 24);
  }

  private static Integrity integrity(Association.Protection protection) {
    return switch (protection) {
      case Association.AhProtection ah -> ah.integrity();
      case Association.EspProtection esp -> esp.integrity();
    };
  }
}
