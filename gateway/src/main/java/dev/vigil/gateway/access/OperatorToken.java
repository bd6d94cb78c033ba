package dev.vigil.gateway.access;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.http.CredentialVerifier;
import java.io.IOException;
import java.net.InetAddress;
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
import java.time.Clock;
import java.util.Base64;
import java.util.Set;

/**
 * The credential of the one operator: a bearer token in a file that only its owner may read,
 * created on the first start. It permits everything.
 */
public final class OperatorToken implements CredentialVerifier {
  static final String ROLE = "operator";
  private static final Caller.Identity OPERATOR = new Caller.Account("operator", Set.of(ROLE));

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final String SCHEME = "Bearer ";
  private static final int OCTETS = 32;
  private static final int CHARACTERS = 43;

  private final Path file;
  private final byte[] token;
  private final FailedAttemptLimiter attempts;

  private OperatorToken(Path file, byte[] token, FailedAttemptLimiter attempts) {
    this.file = file;
    this.token = token;
    this.attempts = attempts;
  }

  /**
   * Reads the token that the settings name; it is never created, so that a mistyped path does not
   * replace the operator's token by one that nobody knows.
   *
   * @throws IOException begins with "cannot" and says what is wrong with the file
   */
  static OperatorToken given(Path file, Clock clock) throws IOException {
    try {
      return new OperatorToken(file, read(file), new FailedAttemptLimiter(clock));
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
  static OperatorToken load(Path file, SecureRandom random, Clock clock) throws IOException {
    byte[] token;
    try {
      token = read(file);
    } catch (NoSuchFileException e) {
      token = create(file, random);
    }
    return new OperatorToken(file, token, new FailedAttemptLimiter(clock));
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

  /**
   * Accepts the right token even from a source that is limited, so that nobody can lock the
   * operator out.
   */
  @Override
  public Caller.Identity identify(String authorization, InetAddress source) {
    if (authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      String presented = authorization.substring(SCHEME.length()).strip();
      // Compares in constant time.
      if (MessageDigest.isEqual(token, presented.getBytes(StandardCharsets.UTF_8))) {
        return OPERATOR;
      }
    }
    attempts.failed(source);
    throw new ErrorResponseException(
        Code.UNAUTHORIZED, "the credentials are not valid on this gateway");
  }
}
