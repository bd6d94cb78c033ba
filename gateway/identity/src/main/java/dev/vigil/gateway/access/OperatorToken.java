package dev.vigil.gateway.access;

import dev.vigil.coap.exchange.Caller;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;

/**
 * The bearer token of whoever runs the gateway, in a file that only its owner may read, created on
 * the first start. It permits everything.
 */
public final class OperatorToken {
  /** The name in the audit trail; no account has it. */
  public static final String NAME = "operator";

  public static final Caller.Identity IDENTITY = new Caller.Account(NAME, Grants.ALL.texts());

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final int OCTETS = 32;
  private static final int CHARACTERS = 43;

  private final Path file;
  private final byte[] token;

  private OperatorToken(Path file, byte[] token) {
    this.file = file;
    this.token = token;
  }

  /**
   * Reads the token that the settings name; it is never created, so that a mistyped path does not
   * replace the operator's token by one that nobody knows.
   *
   * @throws IOException begins with "cannot" and says what is wrong with the file
   */
  static OperatorToken given(Path file) throws IOException {
    try {
      return new OperatorToken(file, read(file));
    } catch (FileSystemException e) {
      throw new IOException(
          "cannot read the operator token in %s, which vigil.operator-token-file names: is it there, and may user %s read it?"
              .formatted(file, System.getProperty("user.name")),
          e);
    }
  }

  /**
   * Reads the token, or creates one on the first start.
   *
   * @throws IOException begins with "cannot" and says what is wrong with the file
   */
  static OperatorToken load(Path file, SecureRandom random) throws IOException {
    byte[] token;
    try {
      token = read(file);
    } catch (NoSuchFileException e) {
      token = create(file, random);
    }
    return new OperatorToken(file, token);
  }

  private static byte[] read(Path file) throws IOException {
    if (!OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
      throw new IOException(
          "cannot use the operator token in %s: others can read the file; run: chmod 600 %s"
              .formatted(file, file));
    }
    String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
    if (text.length() < CHARACTERS) {
      throw new IOException(
          "cannot use the operator token in %s: it has less than %d characters; remove the file to get a new one"
              .formatted(file, CHARACTERS));
    }
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] create(Path file, SecureRandom random) throws IOException {
    byte[] secret = new byte[OCTETS];
    random.nextBytes(secret);
    byte[] token = Base64.getUrlEncoder().withoutPadding().encode(secret);
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.deleteIfExists(fresh);
      Files.createFile(fresh, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        out.write(new ByteBuffer[] {ByteBuffer.wrap(token), ByteBuffer.wrap(new byte[] {'\n'})});
        out.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new IOException("cannot write the operator token to " + file, e);
    }
    return token;
  }

  /** The file that holds the token. */
  public Path file() {
    return file;
  }

  /** Whether a presented token is this one; takes the same time wherever they differ. */
  public boolean is(String presented) {
    return MessageDigest.isEqual(token, presented.getBytes(StandardCharsets.UTF_8));
  }
}
