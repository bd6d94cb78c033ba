package dev.vigil.mirror.model.keys;

import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.wire.WireReader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A key that a {@link TrustPolicy#LISTED} domain trusts from its first registration.
 *
 * @param key null if only its thumbprint is known
 * @param ep the only name that it may register; null for any name
 */
public record ListedKey(String jkt, @Nullable Jwk key, @Nullable String ep) {
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{43}");

  /** The last of the 43 characters encodes only four bits of the 32 octets. */
  private static final Pattern THUMBPRINT = Pattern.compile("[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]");

  /**
   * Earlier versions stored any 43 characters, which then match no key.
   *
   * @throws IllegalArgumentException if {@code jkt} does not have the form of a thumbprint
   */
  public ListedKey {
    if (!FORM.matcher(jkt).matches()) {
      throw new IllegalArgumentException("a thumbprint has 43 characters of base64url");
    }
  }

  public static ListedKey of(Jwk key, @Nullable String ep) {
    return new ListedKey(key.thumbprint(), key, ep);
  }

  /** Whether a text can be an RFC 7638 SHA-256 thumbprint in base64url. */
  public static boolean isThumbprint(String text) {
    return THUMBPRINT.matcher(text).matches();
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
