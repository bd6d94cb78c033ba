package dev.vigil.gateway.access;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.files.PrivateFiles;
import dev.vigil.gateway.files.SecretFile;
import dev.vigil.gateway.store.SharedSecrets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The bearer token of the person who runs the gateway. It permits everything. The first start
 * creates it in a file that only its owner may read.
 */
public final class OperatorToken {
  /** The name of the token's holder in the audit trail; no account can have it. */
  public static final String NAME = "operator";

  public static final Caller.Identity IDENTITY = new Caller.Account(NAME, Grants.ALL.texts());

  private static final int CHARACTERS = 43;

  private final Path file;
  private final String token;

  private OperatorToken(Path file, String token) {
    this.file = file;
    this.token = token;
  }

  /**
   * Reads the token from the file that the settings name. The file is never created, because after
   * a mistyped path the operator would face an unknown token.
   *
   * @throws IOException with a message that begins with "cannot" and states the fault of the file
   */
  static OperatorToken given(Path file) throws IOException {
    String text = SecretFile.read("operator-token-file", "operator token", file.toString());
    if (text.length() < CHARACTERS) {
      throw new IOException(
          "cannot use the operator token in %s: it has less than %d characters; remove the file to get a new one"
              .formatted(file, CHARACTERS));
    }
    return new OperatorToken(file, text);
  }

  /**
   * Reads the token, or creates one on the first start. The token of a cluster replaces this
   * gateway's.
   *
   * @throws IOException with a message that begins with "cannot" and states the fault of the file
   */
  static OperatorToken load(Path file, Secrets secrets, SharedSecrets shared) throws IOException {
    @Nullable String own = Files.exists(file) ? given(file).token : null;
    String token =
        shared.agree("operator token", any -> true, () -> own == null ? secrets.random() : own);
    if (own == null || !Secrets.areSame(own, token)) {
      create(file, token);
    }
    return given(file);
  }

  private static void create(Path file, String token) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.deleteIfExists(fresh);
      Files.createFile(fresh, PrivateFiles.NEW_FILE);
      try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        out.write(ByteBuffer.wrap((token + "\n").getBytes(StandardCharsets.US_ASCII)));
        out.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new IOException("cannot write the operator token to " + file, e);
    }
  }

  /** The file that holds the token. */
  public Path file() {
    return file;
  }

  /** Compares a presented token in constant time. */
  public boolean is(String presented) {
    return Secrets.areSame(token, presented);
  }
}
