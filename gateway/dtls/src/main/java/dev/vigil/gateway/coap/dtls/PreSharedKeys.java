package dev.vigil.gateway.coap.dtls;

import dev.vigil.gateway.files.OwnerOnlyFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Reads the pre-shared keys of the settings. No message shows a key. */
public final class PreSharedKeys {
  private static final String HEX = "hex:";

  /**
   * This minimum prevents only mistakes: short keys can be guessed offline from one recorded
   * handshake.
   */
  private static final int MIN_OCTETS = 8;

  /** Scandium's limit. */
  private static final int MAX_OCTETS = 128;

  private PreSharedKeys() {}

  /**
   * The keys of the settings and of the file that they name, by identity.
   *
   * @throws IOException begins with "cannot" and names the fault of the file
   */
  public static Map<String, byte[]> of(DtlsProperties dtls) throws IOException {
    Map<String, byte[]> keys = new HashMap<>();
    dtls.psk().forEach((identity, key) -> keys.put(identity, octets(identity, key)));
    if (!dtls.keyFile().isEmpty()) {
      Path file = Path.of(dtls.keyFile());
      for (Map.Entry<String, byte[]> entry : read(file).entrySet()) {
        if (keys.put(entry.getKey(), entry.getValue()) != null) {
          throw new IOException(
              "cannot use two keys for \"%s\": one is a setting, the other is in %s"
                  .formatted(entry.getKey(), file));
        }
      }
    }
    return keys;
  }

  /**
   * @param name of the key, for the message
   * @throws IllegalArgumentException when the key is malformed
   */
  static byte[] octets(String name, String key) {
    byte[] octets;
    if (key.startsWith(HEX)) {
      try {
        octets = HexFormat.of().parseHex(key.substring(HEX.length()));
      } catch (IllegalArgumentException e) {
        // Without the cause, whose message shows a part of the key.
        throw new IllegalArgumentException(
            name + ": hex: must be followed by pairs of hexadecimal digits and nothing else");
      }
    } else {
      octets = key.getBytes(StandardCharsets.UTF_8);
    }
    if (octets.length < MIN_OCTETS || octets.length > MAX_OCTETS) {
      throw new IllegalArgumentException(
          "%s: a key has %d to %d octets (16 random ones are good), not %d"
              .formatted(name, MIN_OCTETS, MAX_OCTETS, octets.length));
    }
    return octets;
  }

  private static Map<String, byte[]> read(Path file) throws IOException {
    List<String> lines;
    try {
      OwnerOnlyFile.require(file);
      lines = Files.readAllLines(file);
    } catch (java.nio.file.FileSystemException e) {
      throw new IOException(
          "cannot read " + file + ", which vigil.coap.dtls.key-file names: does the file exist?",
          e);
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
          throw new IOException("cannot use " + place + ": an earlier line has the same identity");
        }
      }
    }
    return keys;
  }

  private static byte[] key(String place, String key) throws IOException {
    try {
      return octets(place, key);
    } catch (IllegalArgumentException e) {
      throw new IOException("cannot use the key in " + e.getMessage(), e);
    }
  }
}
