package dev.vigil.gateway.store.jetstream.messages;

import dev.vigil.store.EndpointName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;

/**
 * The subject of each endpoint in the stream: {@code STREAM.e.DOMAIN.NAME}. A token holds the
 * letters, digits, {@code -} and {@code _} of a name; any other octet of its UTF-8 is {@code =XX}.
 * Long names are replaced by their hash: the message itself has the name.
 */
public final class Subjects {
  /** The longest token that is written as text; servers limit the line of a request. */
  private static final int MAX_TOKEN = 240;

  /** The token of an empty domain. No encoded text is a single {@code =}. */
  private static final String EMPTY = "=";

  /** The beginning of a hashed token. No encoded text begins with {@code ==}. */
  private static final String HASHED = "==";

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final String prefix;

  public Subjects(String stream) {
    this.prefix = stream + ".e.";
  }

  /** The subject that covers all endpoints. */
  public String all() {
    return prefix + "*.*";
  }

  public String of(EndpointName name) {
    return prefix + token(name.d()) + '.' + token(name.ep());
  }

  private static String token(String text) {
    if (text.isEmpty()) {
      return EMPTY;
    }
    byte[] octets = text.getBytes(StandardCharsets.UTF_8);
    StringBuilder token = new StringBuilder(octets.length);
    for (byte octet : octets) {
      if (isPlain(octet)) {
        token.append((char) octet);
      } else {
        HEX.toHexDigits(token.append('='), octet);
      }
    }
    return token.length() <= MAX_TOKEN ? token.toString() : HASHED + hash(octets);
  }

  private static boolean isPlain(byte octet) {
    return octet >= 'a' && octet <= 'z'
        || octet >= 'A' && octet <= 'Z'
        || octet >= '0' && octet <= '9'
        || octet == '-'
        || octet == '_';
  }

  private static String hash(byte[] octets) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(MessageDigest.getInstance("SHA-256").digest(octets));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
