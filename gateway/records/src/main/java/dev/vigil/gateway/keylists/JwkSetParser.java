package dev.vigil.gateway.keylists;

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
   * @throws KeyListException naming the key
   */
  static List<ListedKey> read(byte[] body) {
    JsonNode keys;
    try {
      keys = JSON.readTree(body).path("keys");
    } catch (JacksonException e) {
      throw KeyListException.at("line " + e.getLocation().getLineNr(), "this is not JSON");
    }
    if (!keys.isArray()) {
      throw KeyListException.at("the body", "a JWK set has an array \"keys\"");
    }
    KeyListBuilder list = new KeyListBuilder();
    for (int i = 0; i < keys.size(); i++) {
      String place = "keys[" + i + "]";
      JsonNode key = keys.get(i);
      list.attempt(() -> list.add(place, key(place, key)));
    }
    return list.keys();
  }

  private static ListedKey key(String place, JsonNode members) {
    JsonNode ep = members.path("ep");
    if (!ep.isMissingNode() && !ep.isString()) {
      throw KeyListException.at(place, "ep must be a string");
    }
    try {
      Jwk key = JwkCodec.read(JSON.writeValueAsString(members));
      return ListedKey.of(key, KeyListBuilder.name(place, ep.asString("")));
    } catch (SignedObjectException e) {
      throw KeyListException.at(place, e.line());
    }
  }
}
