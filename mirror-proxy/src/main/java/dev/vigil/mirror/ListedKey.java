package dev.vigil.mirror;

import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.JsonText;
import dev.vigil.mirror.wire.WireReader;
import org.jspecify.annotations.Nullable;

/**
 * A key that a LISTED domain trusts from the first registration on.
 *
 * @param key null where only its thumbprint is known
 * @param ep the only name it may register; null: any
 */
public record ListedKey(String jkt, @Nullable Jwk key, @Nullable String ep) {
  private static final int THUMBPRINT = 43;

  /**
   * @throws IllegalArgumentException when that is no thumbprint
   */
  public ListedKey {
    if (!isThumbprint(jkt)) {
      throw new IllegalArgumentException("a thumbprint has 43 characters of base64url");
    }
  }

  public static ListedKey of(Jwk key, @Nullable String ep) {
    return new ListedKey(key.thumbprint(), key, ep);
  }

  static boolean isThumbprint(String text) {
    return text.length() == THUMBPRINT
        && text.chars()
            .allMatch(
                c ->
                    c >= 'A' && c <= 'Z'
                        || c >= 'a' && c <= 'z'
                        || c >= '0' && c <= '9'
                        || c == '-'
                        || c == '_');
  }

  boolean isFor(String name) {
    return ep == null || ep.equals(name);
  }

  /**
   * @param at when it was listed, in words
   */
  byte[] body(String at, String by) {
    JsonText json = new JsonText().open('{');
    if (key != null) {
      json.name("jwk").raw(key.json());
    }
    return json.member("ep", ep).member("at", at).member("by", by).close('}').toOctets();
  }

  static ListedKey read(String jkt, byte[] body) {
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
