package dev.vigil.mirror.trust;

import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.LocalKeyPair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.SecureRandom;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of the mirror's identity key (P-256): a private JWK (RFC 7517, RFC 7518 section 6.2),
 * readable only by its owner. A file in the earlier form, with the members {@code jkt}, {@code jwk}
 * and {@code pkcs8}, is converted when it is read.
 */
public final class MirrorIdentity {
  private static final Logger log = LoggerFactory.getLogger(MirrorIdentity.class);
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final String PKCS8 = "pkcs8";

  private MirrorIdentity() {}

  /**
   * Reads the key, or creates one on the first start.
   *
   * @throws UnusableIdentityException if the file holds no key
   * @throws IllegalStateException if others can read the file; the message says how to fix it
   */
  public static LocalKeyPair load(Path file, SecureRandom random) {
    try {
      return read(file);
    } catch (NoSuchFileException e) {
      return create(file, random);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the identity key " + file, e);
    } catch (GeneralSecurityException | IllegalArgumentException | SignedObjectException e) {
      throw new UnusableIdentityException(
          file + " holds no identity key; restore it from a backup", e);
    }
  }

  private static LocalKeyPair read(Path file) throws IOException, GeneralSecurityException {
    if (!Files.getPosixFilePermissions(file).equals(OWNER_ONLY)) {
      throw new IllegalStateException(
          file + " is readable by users other than its owner; run: chmod 600 " + file);
    }
    Map<String, Object> members =
        JwkCodec.members(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    return members.containsKey(PKCS8)
        ? takeOver(file.toRealPath(), members)
        : JwkCodec.readPrivate(members);
  }

  private static LocalKeyPair create(Path file, SecureRandom random) {
    LocalKeyPair key = LocalKeyPair.generate(random);
    try {
      Files.createDirectories(folder(file));
      write(file, key, null);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the identity key " + file, e);
    }
    return key;
  }

  private static LocalKeyPair takeOver(Path file, Map<String, Object> members)
      throws GeneralSecurityException {
    byte[] pkcs8 = Base64.getDecoder().decode(String.valueOf(members.get(PKCS8)));
    LocalKeyPair key =
        LocalKeyPair.restore(
            KeyFactory.getInstance("EC", "SunEC").generatePrivate(new PKCS8EncodedKeySpec(pkcs8)),
            JwkCodec.read(JwkCodec.object(members.get("jwk"))));
    LocalKeyPair converted = JwkCodec.readPrivate(JwkCodec.members(JwkCodec.writePrivate(key)));
    if (!Arrays.equals(converted.encoded(), key.encoded())) {
      // The key of the sealed store is derived from these octets, which a JWK would not restore.
      return key;
    }
    try {
      write(file, converted, Files.getOwner(file));
      log.info("converted the identity key {} to a private JWK", file);
    } catch (IOException e) {
      log.warn(
          "cannot convert the identity key {} to a private JWK; using it unchanged: {}", file, e);
    }
    return converted;
  }

  /** Replaces the file as a whole, so that after a crash it holds either the old or the new key. */
  private static void write(Path file, LocalKeyPair key, @Nullable UserPrincipal owner)
      throws IOException {
    byte[] body = JwkCodec.writePrivate(key).getBytes(StandardCharsets.US_ASCII);
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    Files.createFile(fresh, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    if (owner != null && !Files.getOwner(fresh).equals(owner)) {
      Files.setOwner(fresh, owner);
    }
    try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
      out.write(ByteBuffer.wrap(body));
      out.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel folder = FileChannel.open(folder(file))) {
      folder.force(true);
    }
  }

  private static Path folder(Path file) {
    return file.toAbsolutePath().resolveSibling("");
  }
}
