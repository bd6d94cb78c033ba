package dev.vigil.gateway.month;

import dev.vigil.border.ipsec.Profile;
import dev.vigil.gateway.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The files of associations of the gateway and its motes, as {@code ./vigil sa new} writes them.
 */
final class Associations {
  private static final Profile PROFILE = Profile.CTR_XCBC;
  private static final int FIRST_SPI = 0x1_0000;

  private final Path folder;
  private final RandomGenerator random;
  private final List<String> gateway = new ArrayList<>();
  private int spi = FIRST_SPI;

  Associations(Path folder, RandomGenerator random) {
    this.folder = folder;
    this.random = random;
  }

  /** Makes the associations of a mote, and the mote's file. */
  Path add(MotePlan plan) throws IOException {
    String mote = SimulatedGateway.address(plan.id()).toString();
    String own = SimulatedGateway.GATEWAY.toString();
    String up = words(mote, own);
    String down = words(own, mote);
    List<String> lines = new ArrayList<>(List.of("out " + up, "in " + down));
    gateway.addAll(List.of("in " + up, "out " + down));
    if (plan.blockStore()) {
      String blockStore = "store " + words(mote, own);
      lines.add(blockStore);
      gateway.add(blockStore);
    }
    return write(plan.ep() + ".sa", lines);
  }

  /** The gateway's file. */
  Path gateway() throws IOException {
    return write("gateway.sa", gateway);
  }

  private Path write(String name, List<String> lines) throws IOException {
    Path file = folder.resolve(name);
    Files.deleteIfExists(file);
    Files.createFile(file, PrivateFiles.NEW_FILE);
    return Files.writeString(file, String.join("\n", lines) + "\n");
  }

  private String words(String from, String to) {
    return String.join(
        " ",
        PROFILE.header(),
        PROFILE.label(),
        "0x%08x".formatted(spi++),
        from,
        to,
        key(PROFILE.cipherKey()),
        key(PROFILE.integrityKey()));
  }

  private String key(int octets) {
    byte[] key = new byte[octets];
    random.nextBytes(key);
    return HexFormat.of().formatHex(key);
  }
}
