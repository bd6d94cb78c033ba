package dev.vigil.mirror;

import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.jose.OwnKey;
import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.JsonText;
import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The mirror's own P-256 key, in a file that only its owner may read. */
final class Identity {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private Identity() {}

  /**
   * Reads the key, or makes one on the first start.
   *
   * @throws IllegalStateException says what is wrong with the file and the way out
   */
  static OwnKey load(Path file, SecureRandom random) {
    try {
      return read(file);
    } catch (NoSuchFileException e) {
      return create(file, random);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the identity key " + file, e);
    } catch (GeneralSecurityException | IllegalArgumentException | Rejection e) {
      throw new IllegalStateException(
          file
              + " does not hold an identity key; restore it from a backup, or move it away to"
              + " start with a new identity that motes must be told",
          e);
    }
  }

  private static OwnKey read(Path file) throws IOException, GeneralSecurityException {
    if (!Files.getPosixFilePermissions(file).equals(OWNER_ONLY)) {
      throw new IllegalStateException(file + " can be read by others; run: chmod 600 " + file);
    }
    Reading reading = new Reading(Files.readAllBytes(file));
    return reading.key();
  }

  private static OwnKey create(Path file, SecureRandom random) {
    OwnKey key = OwnKey.generate(random);
    byte[] body =
        new JsonText()
            .open('{')
            .member("jkt", key.jwk().thumbprint())
            .name("jwk")
            .raw(key.jwk().json())
            .member("pkcs8", Base64.getEncoder().encodeToString(key.encoded()))
            .close('}')
            .toOctets();
    Path parent = file.toAbsolutePath().getParent();
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Files.deleteIfExists(fresh);
      Files.createFile(fresh, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        out.write(ByteBuffer.wrap(body));
        out.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the identity key " + file, e);
    }
    return key;
  }

  private static final class Reading {
    private final JsonReader json;
    private @Nullable Jwk jwk;
    private byte[] pkcs8 = {};

    Reading(byte[] body) {
      json = new JsonReader(new WireReader(body));
    }

    OwnKey key() throws GeneralSecurityException {
      json.object(
          name -> {
            switch (name) {
              case "jwk" -> jwk = Jwk.read(json);
              case "pkcs8" -> pkcs8 = Base64.getDecoder().decode(json.string());
              default -> json.skip();
            }
          });
      Jwk found = jwk;
      if (found == null) {
        throw Rejection.malformed("no jwk");
      }
      return OwnKey.restore(pkcs8, found);
    }
  }
}
