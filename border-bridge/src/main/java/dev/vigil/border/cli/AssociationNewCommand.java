package dev.vigil.border.cli;

import dev.vigil.border.associations.AssociationFileReader;
import dev.vigil.border.associations.AssociationFileWriter;
import dev.vigil.border.ipsec.AssociationFile;
import dev.vigil.border.ipsec.AssociationFile.Use;
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
import java.util.ArrayList;
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
        "makes associations with fresh keys between a mote and a host (or this gateway) and adds"
            + " them to the files of both ends")
final class AssociationNewCommand implements Callable<Integer> {
  /**
   * An SPI with this first octet passes unmodified Contiki-NG forwarders, which read it as a UDP
   * port.
   */
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
          "cbc-xcbc, ctr-xcbc, cbc-sha1, ctr-sha1, cbc-sha256, ccm8, ah-sha1 or ah-xcbc; if both"
              + " ESP and AH exist, AH is the outer header (default: ${DEFAULT-VALUE})")
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

  @Option(
      names = "--store",
      description =
          "also make an association for the mote's block store, whose readings the host can"
              + " fetch (vigil-mote --store)")
  private boolean store;

  @Option(
      names = "--store-name",
      paramLabel = "NAME",
      description =
          "also make an association for the block store with this name (vigil-mote --store"
              + " NAME=FILE); may be repeated")
  private List<String> storeNames = List.of();

  @Option(
      names = "--compress-udp",
      description =
          "compress UDP headers inside ESP; the host then runs vigil-esp-host instead of ip xfrm")
  private boolean compressUdp;

  private final SecureRandom random;

  AssociationNewCommand(SecureRandom random) {
    this.random = random;
  }

  @Override
  public Integer call() {
    if (compressUdp && !profile.header().equals("esp")) {
      throw new ParameterException(
          spec.commandLine(), "--compress-udp needs ESP, not " + profile.label());
    }
    AssociationFile moteBefore = before(moteFile);
    AssociationFile hostBefore = before(hostFile);
    Stream<String> unnamed = store ? Stream.of("") : Stream.of();
    List<String> stores = Stream.concat(unnamed, storeNames.stream()).distinct().toList();
    for (String name : stores) {
      if (moteBefore.entries().stream()
          .anyMatch(entry -> entry.use() == Use.STORE && entry.store().equals(name))) {
        throw new ParameterException(
            spec.commandLine(),
            moteFile + " already has a `" + first(name) + "` line: give another name");
      }
    }
    List<Integer> taken = spis(moteBefore, hostBefore);
    String header = compressUdp ? AssociationFile.UDP_COMPRESSED : profile.header();
    String up = words(header, profile, spi(taken), mote, host);
    String down = words(header, profile, spi(taken), host, mote);
    List<String> blockStores =
        stores.stream()
            .map(name -> first(name) + " " + words("esp", Profile.CTR_XCBC, spi(taken), mote, host))
            .toList();
    List<String> moteLines = lines("out " + up, "in " + down, blockStores);
    List<String> hostLines = lines("in " + up, "out " + down, blockStores);
    // Both files are checked before either is written.
    add(moteFile, moteLines, AssociationFile.MOTE_ENTRIES, false);
    add(hostFile, hostLines, AssociationFileReader.GATEWAY_ENTRIES, false);
    add(moteFile, moteLines, AssociationFile.MOTE_ENTRIES, true);
    add(hostFile, hostLines, AssociationFileReader.GATEWAY_ENTRIES, true);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "added to %s and %s: %s%s between %s and %s%n",
        moteFile, hostFile, profile.label(), made(blockStores.size()), mote, host);
    out.println(
        compressUdp
            ? "start the mote and vigil-esp-host on the host once with --new-sa"
            : "start the mote once with --new-sa; ./vigil sa linux prints a Linux host's side");
    out.flush();
    return 0;
  }

  /** The first word of the line of a block store. */
  private static String first(String name) {
    return name.isEmpty() ? "store" : "store=" + name;
  }

  private static String made(int stores) {
    return switch (stores) {
      case 0 -> "";
      case 1 -> " and a block store";
      default -> " and " + stores + " block stores";
    };
  }

  private AssociationFile before(Path file) {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        ? AssociationCommand.read(spec, file, AssociationFileReader.GATEWAY_ENTRIES)
        : new AssociationFile(List.of());
  }

  private static List<String> lines(String first, String second, List<String> more) {
    return Stream.concat(Stream.of(first, second), more.stream()).toList();
  }

  private static List<Integer> spis(AssociationFile one, AssociationFile other) {
    return new ArrayList<>(
        Stream.of(one, other)
            .flatMap(file -> file.entries().stream())
            .map(entry -> entry.association().spi())
            .toList());
  }

  /** A new SPI, which is added to the SPIs in use. */
  private int spi(List<Integer> taken) {
    int spi = FORWARDED;
    while (spi == FORWARDED || taken.contains(spi)) {
      spi = FORWARDED | random.nextInt(1 << RANDOM_BITS);
    }
    taken.add(spi);
    return spi;
  }

  /** All but the first word of a line, with fresh keys. */
  private String words(
      String header, Profile form, int spi, Ipv6Address source, Ipv6Address destination) {
    return Stream.of(
            header,
            form.label(),
            "0x%08x".formatted(spi),
            source.toString(),
            destination.toString(),
            key(form.cipherKey()),
            key(form.integrityKey()))
        .filter(word -> !word.isEmpty())
        .collect(Collectors.joining(" "));
  }

  private String key(int octets) {
    byte[] key = new byte[octets];
    random.nextBytes(key);
    return Hex.format(key);
  }

  private void add(Path file, List<String> lines, int most, boolean write) {
    try {
      AssociationFileWriter.append(file, lines, most, write);
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
