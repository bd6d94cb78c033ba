package dev.vigil.gateway.cli.recovery;

import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.wire.WireReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * The first line of a backup: unencrypted JSON, so that {@code head -1} identifies the file. The
 * passphrase authenticates the line.
 *
 * @param format the format of the backup itself
 * @param data the number of the data format of the database
 * @param product version and build that made the backup
 * @param created the time of the snapshot
 */
record BackupHeader(
    int format, int data, String product, Instant created, PassphraseKey.Parameters derivation) {
  /** The format that this version writes and the newest format that it reads. */
  static final int FORMAT = 1;

  private static final int MAX_OCTETS = 4096;
  private static final String KIND = "vigil-backup";
  private static final String DERIVATION = "argon2id";
  private static final String CIPHER = "AES-256-GCM";

  /** The header as one line, including its line feed. */
  byte[] toOctets() {
    byte[] json =
        new JsonWriter()
            .open('{')
            .member("kind", KIND)
            .member("format", format)
            .member("data", data)
            .member("product", product)
            .member("created", created.toString())
            .member("cipher", CIPHER)
            .member("kdf", DERIVATION)
            .member("memory", derivation.memoryKib())
            .member("iterations", derivation.iterations())
            .member("lanes", derivation.lanes())
            .member(
                "salt", Base64.getUrlEncoder().withoutPadding().encodeToString(derivation.salt()))
            .close('}')
            .toOctets();
    byte[] line = Arrays.copyOf(json, json.length + 1);
    line[json.length] = '\n';
    return line;
  }

  /**
   * Reads the octets of the line, including its line feed.
   *
   * @throws BackupException when the file is not a backup
   */
  static byte[] readLine(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int octet = in.read(); octet >= 0 && line.size() < MAX_OCTETS; octet = in.read()) {
      line.write(octet);
      if (octet == '\n') {
        return line.toByteArray();
      }
    }
    throw new BackupException("it is not a backup of Vigil");
  }

  /**
   * @throws BackupException when the line is not a header, or comes from a newer version
   */
  static BackupHeader parse(byte[] line) throws BackupException {
    try {
      return new Parser(line).header();
    } catch (SignedObjectException | IllegalArgumentException | DateTimeException e) {
      throw new BackupException("it is not a backup of Vigil", e);
    }
  }

  private static final class Parser {
    private final JsonReader json;
    private String kind = "";
    private String cipher = "";
    private String kdf = "";
    private long format;
    private long data;
    private String product = "";
    private Instant created = Instant.EPOCH;
    private long memory;
    private long iterations;
    private long lanes;
    private byte[] salt = new byte[0];

    Parser(byte[] line) {
      json = new JsonReader(new WireReader(Arrays.copyOf(line, line.length - 1)));
    }

    BackupHeader header() throws BackupException {
      json.object(this::member);
      json.end();
      if (!kind.equals(KIND)) {
        throw new BackupException("it is not a backup of Vigil");
      }
      if (format > FORMAT) {
        throw new BackupException(
            "a newer version made it (%s): restore it with that version"
                .formatted(JsonReader.printable(product)));
      }
      if (format < 1 || !cipher.equals(CIPHER) || !kdf.equals(DERIVATION)) {
        throw new BackupException("its header is not one that Vigil writes");
      }
      return new BackupHeader(
          (int) format,
          Math.toIntExact(data),
          product,
          created,
          PassphraseKey.Parameters.of(memory, iterations, lanes, salt));
    }

    private void member(String name) {
      switch (name) {
        case "kind" -> kind = json.string();
        case "format" -> format = json.integer();
        case "data" -> data = json.integer();
        case "product" -> product = json.string();
        case "created" -> created = Instant.parse(json.string());
        case "cipher" -> cipher = json.string();
        case "kdf" -> kdf = json.string();
        case "memory" -> memory = json.integer();
        case "iterations" -> iterations = json.integer();
        case "lanes" -> lanes = json.integer();
        case "salt" -> salt = Base64.getUrlDecoder().decode(json.string());
        default -> json.skip();
      }
    }
  }
}
