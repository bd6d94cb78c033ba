package dev.vigil.gateway.keys;

import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.mirror.trust.JwkCodec;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jwk;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a JWK set (RFC 7517 section 5). */
final class JwkSetParser {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private JwkSetParser() {}

  /**
   * @throws dev.vigil.coap.exchange.ErrorResponseException 4.00, naming the key
   */
  static List<ListedKey> read(byte[] body) {
    JsonNode keys;
    try {
      keys = JSON.readTree(body).path("keys");
    } catch (JacksonException e) {
      throw KeyImport.invalid("line " + e.getLocation().getLineNr(), "this is not JSON");
    }
    if (!keys.isArray()) {
      throw KeyImport.invalid("the body", "a JWK set has an array \"keys\"");
    }
    KeyImport keyImport = new KeyImport();
    for (int i = 0; i < keys.size(); i++) {
      String place = "keys[" + i + "]";
      JsonNode key = keys.get(i);
      keyImport.attempt(() -> keyImport.add(place, key(place, key)));
    }
    return keyImport.keys();
  }

  private static ListedKey key(String place, JsonNode members) {
    JsonNode ep = members.path("ep");
    if (!ep.isMissingNode() && !ep.isString()) {
      throw KeyImport.invalid(place, "ep must be a string");
    }
    try {
      Jwk key = JwkCodec.read(JSON.writeValueAsString(members));
      return ListedKey.of(key, KeyImport.name(place, ep.asString("")));
    } catch (SignedObjectException e) {
      throw KeyImport.invalid(place, e.line());
    }
  }
}
