package dev.vigil.gateway.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Pre-shared keys as people write them. No message shows a key. */
public final class PreSharedKeys {
  private static final String HEX = "hex:";

  /** Whoever records one handshake can try all keys; this only keeps out slips of the pen. */
  private static final int LEAST_OCTETS = 8;

  /** What Scandium takes. */
  private static final int MOST_OCTETS = 128;

  private PreSharedKeys() {}

  /**
   * Those of the settings and of the file that they name.
   *
   * @throws IOException begins with "cannot" and says what is wrong with the file
   */
  public static Map<String, byte[]> of(DtlsProperties dtls) throws IOException {
    Map<String, byte[]> keys = new HashMap<>();
    dtls.psk().forEach((identity, key) -> keys.put(identity, octets(identity, key)));
    if (!dtls.keyFile().isEmpty()) {
      Path file = Path.of(dtls.keyFile());
      for (Map.Entry<String, byte[]> entry : read(file).entrySet()) {
        if (keys.put(entry.getKey(), entry.getValue()) != null) {
          throw new IOException(
              "cannot take two keys for \"%s\": one is a setting, one is in %s"
                  .formatted(entry.getKey(), file));
        }
      }
    }
    return keys;
  }

  /**
   * @param name of the key, for the message
   * @throws IllegalArgumentException when it is none
   */
  static byte[] octets(String name, String key) {
    byte[] octets;
    if (key.startsWith(HEX)) {
      try {
        octets = HexFormat.of().parseHex(key.substring(HEX.length()));
      } catch (IllegalArgumentException e) {
        // Its own message would show a part of the key.
        throw new IllegalArgumentException(
            name + ": after hex: come two hexadecimal digits an octet, nothing else");
      }
    } else {
      octets = key.getBytes(StandardCharsets.UTF_8);
    }
    if (octets.length < LEAST_OCTETS || octets.length > MOST_OCTETS) {
      throw new IllegalArgumentException(
          "%s: a key has %d to %d octets (16 random ones are good), not %d"
              .formatted(name, LEAST_OCTETS, MOST_OCTETS, octets.length));
    }
    return octets;
  }

  private static Map<String, byte[]> read(Path file) throws IOException {
    List<String> lines;
    try {
      OwnersOnly.require(file);
      lines = Files.readAllLines(file);
    } catch (java.nio.file.FileSystemException e) {
      throw new IOException(
          "cannot read " + file + ", which vigil.coap.dtls.key-file names: is it there?", e);
    }
    Map<String, byte[]> keys = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        String place = "%s, line %d".formatted(file, i + 1);
        int equals = line.indexOf('=');
        if (equals < 1) {
          throw new IOException("cannot read " + place + ": it takes IDENTITY=KEY");
        }
        if (keys.put(line.substring(0, equals), key(place, line.substring(equals + 1))) != null) {
          throw new IOException("cannot take " + place + ": a line before has the same identity");
        }
      }
    }
    return keys;
  }

  private static byte[] key(String place, String key) throws IOException {
    try {
      return octets(place, key);
    } catch (IllegalArgumentException e) {
      throw new IOException("cannot take the key in " + e.getMessage(), e);
    }
  }
}
