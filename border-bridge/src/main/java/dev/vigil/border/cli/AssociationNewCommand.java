package dev.vigil.border.cli;

import dev.vigil.border.associations.AssociationFileReader;
import dev.vigil.border.associations.AssociationFileWriter;
import dev.vigil.border.ipsec.AssociationFile;
import dev.vigil.border.ipsec.Profile;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Makes the associations of two nodes, one for each direction, and adds them to both files. */
@Command(
    name = "new",
    mixinStandardHelpOptions = true,
    description =
        "new associations between a mote and a host (or this gateway): fresh keys, added to the"
            + " files of both ends")
final class AssociationNewCommand implements Callable<Integer> {
  /** Unmodified Contiki-NG forwarders take an ESP packet that begins so for a UDP port. */
  private static final int FORWARDED = 0x11 << 24;

  private static final int RANDOM_BITS = 24;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--mote",
      required = true,
      paramLabel = "ADDRESS",
      converter = Unicast.class,
      description = "the mote's address, for instance fd00::202:2:2:2")
  private Ipv6Address mote = Ipv6Address.UNSPECIFIED;

  @Option(
      names = "--host",
      required = true,
      paramLabel = "ADDRESS",
      converter = Unicast.class,
      description = "the address of the host, or of the gateway")
  private Ipv6Address host = Ipv6Address.UNSPECIFIED;

  @Option(
      names = "--profile",
      defaultValue = "ctr-xcbc",
      paramLabel = "P",
      converter = ProfileName.class,
      description =
          "cbc-xcbc, ctr-xcbc, cbc-sha1, cbc-sha256, ccm8, ah-sha1 or ah-xcbc; an AH beside an ESP"
              + " goes around it (default: ${DEFAULT-VALUE})")
  private Profile profile = Profile.CTR_XCBC;

  @Option(
      names = "--mote-file",
      defaultValue = "mote.sa",
      paramLabel = "FILE",
      description = "for vigil-mote --sa (default: ${DEFAULT-VALUE})")
  private Path moteFile = Path.of("");

  @Option(
      names = "--host-file",
      defaultValue = "host.sa",
      paramLabel = "FILE",
      description = "for vigil.border.ipsec or ./vigil sa linux (default: ${DEFAULT-VALUE})")
  private Path hostFile = Path.of("");

  private final SecureRandom random;

  AssociationNewCommand(SecureRandom random) {
    this.random = random;
  }

  @Override
  public Integer call() {
    AssociationFile moteBefore = before(moteFile);
    AssociationFile hostBefore = before(hostFile);
    String up = words(spi(moteBefore, hostBefore), mote, host);
    String down = words(spi(moteBefore, hostBefore), host, mote);
    // Both are checked before either is written.
    add(moteFile, "out " + up, "in " + down, AssociationFile.MOTE_ENTRIES, false);
    add(hostFile, "in " + up, "out " + down, AssociationFileReader.GATEWAY_ENTRIES, false);
    add(moteFile, "out " + up, "in " + down, AssociationFile.MOTE_ENTRIES, true);
    add(hostFile, "in " + up, "out " + down, AssociationFileReader.GATEWAY_ENTRIES, true);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "added to %s and %s: %s between %s and %s%n",
        moteFile, hostFile, profile.label(), mote, host);
    out.println("start the mote once with --new-sa; ./vigil sa linux prints a Linux host's side");
    out.flush();
    return 0;
  }

  private AssociationFile before(Path file) {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        ? AssociationCommand.read(spec, file, AssociationFileReader.GATEWAY_ENTRIES)
        : new AssociationFile(List.of());
  }

  /** An SPI that neither file has; the other one of the pair has a different one at random. */
  private int spi(AssociationFile one, AssociationFile other) {
    List<Integer> taken =
        Stream.of(one, other)
            .flatMap(file -> file.entries().stream())
            .map(entry -> entry.association().spi())
            .toList();
    int spi = FORWARDED;
    while (spi == FORWARDED || taken.contains(spi)) {
      spi = FORWARDED | random.nextInt(1 << RANDOM_BITS);
    }
    return spi;
  }

  /** All but the first word of a line, with fresh keys. */
  private String words(int spi, Ipv6Address source, Ipv6Address destination) {
    return Stream.of(
            profile.header(),
            profile.label(),
            "0x%08x".formatted(spi),
            source.toString(),
            destination.toString(),
            key(profile.cipherKey()),
            key(profile.integrityKey()))
        .filter(word -> !word.isEmpty())
        .collect(Collectors.joining(" "));
  }

  private String key(int octets) {
    byte[] key = new byte[octets];
    random.nextBytes(key);
    return Hex.format(key);
  }

  private void add(Path file, String first, String second, int most, boolean write) {
    try {
      AssociationFileWriter.append(file, List.of(first, second), most, write);
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** Reads addresses of one node. */
  static final class Unicast implements ITypeConverter<Ipv6Address> {
    @Override
    public Ipv6Address convert(String value) {
      try {
        Ipv6Address address = Ipv6Address.parse(value);
        if (!address.isMulticast() && !address.isUnspecified()) {
          return address;
        }
      } catch (WireException e) {
        // Reported below.
      }
      throw new TypeConversionException("\"" + value + "\" is not a unicast IPv6 address");
    }
  }

  /** Reads names of profiles. */
  static final class ProfileName implements ITypeConverter<Profile> {
    @Override
    public Profile convert(String value) {
      return Profile.of(value)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "\"%s\" is not one of %s"
                          .formatted(
                              value,
                              Arrays.stream(Profile.values())
                                  .map(Profile::label)
                                  .collect(Collectors.joining(", ")))));
    }
  }
}
