package dev.vigil.border.cli;

import dev.vigil.border.wire.Octets;
import dev.vigil.border.wire.WireException;
import java.util.Optional;

/** Lines that begin with octets in hex; what follows white space, and comments, are ignored. */
final class HexLines {
  private HexLines() {}

  /** The octets of a line; empty if it has none. */
  static Optional<byte[]> read(String line) throws WireException {
    String text = line.strip();
    if (text.isEmpty() || text.startsWith("#")) {
      return Optional.empty();
    }
    return Optional.of(Octets.parseHex(text.split("\\s+", 2)[0].replace(":", "")));
  }
}
