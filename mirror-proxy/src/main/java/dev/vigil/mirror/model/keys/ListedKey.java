package dev.vigil.mirror.model.keys;

import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.wire.WireReader;
import org.jspecify.annotations.Nullable;

/**
 * A key that a {@link TrustPolicy#LISTED} domain trusts from its first registration.
 *
 * @param key null if only its thumbprint is known
 * @param ep the only name that it may register; null for any name
 */
public record ListedKey(String jkt, @Nullable Jwk key, @Nullable String ep) {
  private static final int THUMBPRINT_LENGTH = 43;

  /**
   * @throws IllegalArgumentException if {@code jkt} is not a thumbprint
   */
  public ListedKey {
    if (!isThumbprint(jkt)) {
      throw new IllegalArgumentException("a thumbprint has 43 characters of base64url");
    }
  }

  public static ListedKey of(Jwk key, @Nullable String ep) {
    return new ListedKey(key.thumbprint(), key, ep);
  }

  /** Whether a text has the form of an RFC 7638 SHA-256 thumbprint in base64url. */
  public static boolean isThumbprint(String text) {
    return text.length() == THUMBPRINT_LENGTH
        && text.chars()
            .allMatch(
                c ->
                    c >= 'A' && c <= 'Z'
                        || c >= 'a' && c <= 'z'
                        || c >= '0' && c <= '9'
                        || c == '-'
                        || c == '_');
  }

  public boolean mayRegister(String name) {
    return ep == null || ep.equals(name);
  }

  /**
   * The JSON form in the store, which {@link #read} reads.
   *
   * @param at when the key was listed, as ISO 8601 text
   * @param by the operator
   */
  public byte[] body(String at, String by) {
    JsonWriter json = new JsonWriter().open('{');
    if (key != null) {
      json.name("jwk").raw(key.json());
    }
    return json.member("ep", ep).member("at", at).member("by", by).close('}').toOctets();
  }

  public static ListedKey read(String jkt, byte[] body) {
    Jwk[] key = {null};
    String[] ep = {null};
    JsonReader json = new JsonReader(new WireReader(body));
    json.object(
        name -> {
          switch (name) {
            case "jwk" -> key[0] = Jwk.read(json);
            case "ep" -> ep[0] = json.string();
            default -> json.skip();
          }
        });
    return new ListedKey(jkt, key[0], ep[0]);
  }
}
