package dev.vigil.border.cli;

import dev.vigil.border.associations.AssociationFileReader;
import dev.vigil.border.ipsec.Association;
import dev.vigil.border.ipsec.AssociationFile;
import dev.vigil.border.ipsec.AssociationFile.Entry;
import dev.vigil.border.ipsec.AssociationFile.Use;
import dev.vigil.border.ipsec.Encryption;
import dev.vigil.border.ipsec.Integrity;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Prints the commands for the far host of a file, if it is a Linux host. The file's {@code out}
 * lines are that host's inbound associations.
 */
@Command(
    name = "linux",
    mixinStandardHelpOptions = true,
    description = "the ip xfrm commands for the far host of FILE; they hold its keys")
final class AssociationLinuxCommand implements Callable<Integer> {
  /**
   * Links states to policies, so that other associations of the host do not match these policies.
   */
  private static final String REQID = "reqid 4301";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "the file of the node at this end, mode 0600")
  private Path file = Path.of("");

  @Option(
      names = "--peer",
      paramLabel = "ADDRESS",
      description =
          "the far host, if FILE names several; repeat the option for each of its addresses")
  private List<String> peers = List.of();

  @Override
  public Integer call() {
    AssociationFile read =
        AssociationCommand.read(spec, file, AssociationFileReader.GATEWAY_ENTRIES);
    PrintWriter out = spec.commandLine().getOut();
    List<Ipv6Address> chosen = farEnds(read);
    refuseCompressedUdp(read, chosen);
    chosen.forEach(far -> print(read, far, out));
    out.flush();
    return 0;
  }

  /** A kernel would take a compressed UDP header for UDP and drop each packet. */
  private void refuseCompressedUdp(AssociationFile read, List<Ipv6Address> chosen) {
    for (Entry entry : read.entries()) {
      if (chosen.contains(entry.peer())
          && entry.association().protection() instanceof Association.EspProtection esp
          && esp.udpCompressed()) {
        throw new ParameterException(
            spec.commandLine(),
            "%s: line %d: Linux cannot read compressed UDP headers inside ESP: run vigil-esp-host on %s"
                .formatted(file, entry.line(), entry.peer()));
      }
    }
  }

  private static void print(AssociationFile read, Ipv6Address far, PrintWriter out) {
    List<Entry> entries =
        read.entries().stream().filter(e -> e.use() != Use.STORE && e.peer().equals(far)).toList();
    entries.forEach(entry -> out.println(state(entry)));
    // The policy for packets from the mote also admits its stored blocks.
    read.entries().stream()
        .filter(e -> e.use() == Use.STORE && e.association().destination().equals(far))
        .forEach(entry -> out.println(state(entry)));
    for (boolean outbound : List.of(true, false)) {
      List<Entry> direction =
          entries.stream()
              .filter(entry -> entry.inbound() == outbound)
              .sorted(Comparator.comparing(entry -> entry.profile().header().equals("ah")))
              .toList();
      if (!direction.isEmpty()) {
        out.println(policy(direction, outbound));
      }
    }
  }

  private List<Ipv6Address> farEnds(AssociationFile read) {
    List<Ipv6Address> known =
        read.entries().stream()
            .filter(entry -> entry.use() != Use.STORE)
            .map(Entry::peer)
            .distinct()
            .toList();
    if (peers.isEmpty() && known.size() == 1) {
      return known;
    }
    try {
      List<Ipv6Address> chosen = new ArrayList<>();
      for (String peer : peers) {
        chosen.add(Ipv6Address.parse(peer));
      }
      if (!chosen.isEmpty() && known.containsAll(chosen)) {
        return chosen;
      }
    } catch (WireException e) {
      // Reported below.
    }
    throw new ParameterException(
        spec.commandLine(),
        "give --peer with one of the far ends in %s: %s"
            .formatted(
                file, String.join(", ", known.stream().map(Ipv6Address::toString).toList())));
  }

  private static String state(Entry entry) {
    Association association = entry.association();
    String algorithms =
        switch (association.protection()) {
          case Association.AhProtection ah -> integrity(ah.integrity(), ah.key());
          case Association.EspProtection esp -> esp(esp);
        };
    return "ip xfrm state add src %s dst %s proto %s spi 0x%08x %s mode transport replay-window %d %s"
        .formatted(
            association.source(),
            association.destination(),
            entry.profile().header(),
            association.spi(),
            REQID,
            // The kernel's standard window has at most 32 numbers; a larger window needs the ESN
            // attribute.
            Math.min(32, association.window()),
            algorithms);
  }

  private static String esp(Association.EspProtection esp) {
    String key = Hex.format(esp.key());
    if (esp.encryption().isCombined()) {
      return "aead 'rfc4309(ccm(aes))' 0x%s %d".formatted(key, 8 * esp.encryption().icvLength());
    }
    String cipher = esp.encryption() == Encryption.AES_CTR ? "rfc3686(ctr(aes))" : "cbc(aes)";
    return "enc '%s' 0x%s %s"
        .formatted(cipher, key, integrity(esp.integrity(), esp.integrityKey()));
  }

  private static String integrity(Integrity integrity, byte[] key) {
    String name =
        switch (integrity) {
          case AES_XCBC_96 -> "xcbc(aes)";
          case HMAC_SHA1_96 -> "hmac(sha1)";
          case HMAC_SHA256_128 -> "hmac(sha256)";
          case NONE -> throw new IllegalArgumentException("no integrity algorithm");
        };
    return "auth-trunc '%s' 0x%s %d".formatted(name, Hex.format(key), 8 * integrity.icvLength());
  }

  /**
   * @param direction ESP first, because the kernel applies templates from the inside out
   * @param outbound seen from the far host
   */
  private static String policy(List<Entry> direction, boolean outbound) {
    Association first = direction.getFirst().association();
    String ends = "src %s dst %s".formatted(first.source(), first.destination());
    StringBuilder text =
        new StringBuilder(
            "ip xfrm policy add %s proto udp dir %s".formatted(ends, outbound ? "out" : "in"));
    for (Entry entry : direction) {
      text.append(
          " tmpl %s proto %s %s mode transport".formatted(ends, entry.profile().header(), REQID));
    }
    return text.toString();
  }
}
