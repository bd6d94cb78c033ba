package dev.vigil.gateway.cli.keylabels;

import dev.vigil.gateway.cli.CliException;
import dev.vigil.gateway.cli.GatewayClient;
import dev.vigil.mirror.model.keys.ListedKey;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a mote's label (docs/protocol.md section 6).
 *
 * @param jkt thumbprint of the key
 * @param ep endpoint name; null: none is given
 * @param d domain, empty for the domain without a name; null: none is given
 */
record KeyLabel(String jkt, @Nullable String ep, @Nullable String d) {
  private static final String URN = "urn:ietf:params:oauth:jwk-thumbprint:sha-256:";
  private static final int GROUP = 4;

  /**
   * @throws CliException if a thumbprint, possibly typed in groups, is wrong
   */
  static KeyLabel of(String typed, @Nullable String ep, @Nullable String d) throws CliException {
    String jkt = typed.replaceAll("\\s", "");
    if (!ListedKey.isThumbprint(jkt)) {
      throw new CliException(
          "\"%s\" is neither a file nor the 43 characters of a thumbprint".formatted(typed));
    }
    return new KeyLabel(jkt, ep, d);
  }

  /**
   * The text of the QR code.
   *
   * @param page address of the gateway's page, which the camera of a phone then opens; null: a URN
   *     that belongs to no gateway
   */
  String text(@Nullable URI page) {
    List<String> names = new ArrayList<>();
    add(names, "ep", ep);
    add(names, "d", d == null ? null : d.isEmpty() ? "-" : d);
    if (page == null) {
      return URN + jkt + (names.isEmpty() ? "" : "#" + String.join("&", names));
    }
    names.addFirst("key=" + jkt);
    return page
        + (page.toString().endsWith("/") ? "#" : "/#")
        + "/enrol?"
        + String.join("&", names);
  }

  private static void add(List<String> names, String name, @Nullable String value) {
    if (value != null) {
      names.add(name + "=" + GatewayClient.encoded(value));
    }
  }

  /** The thumbprint in groups of four letters, as motes and pages print it. */
  List<String> groups() {
    List<String> groups = new ArrayList<>();
    for (int at = 0; at < jkt.length(); at += GROUP) {
      groups.add(jkt.substring(at, Math.min(jkt.length(), at + GROUP)));
    }
    return groups;
  }
}
