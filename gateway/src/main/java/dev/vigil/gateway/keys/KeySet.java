package dev.vigil.gateway.keys;

import dev.vigil.mirror.ListedKey;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.wire.Rejection;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a JWK set (RFC 7517 section 5). */
final class KeySet {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private KeySet() {}

  /**
   * @throws dev.vigil.directory.exchange.ExchangeException 4.00, naming the key
   */
  static List<ListedKey> read(byte[] body) {
    JsonNode keys;
    try {
      keys = JSON.readTree(body).path("keys");
    } catch (JacksonException e) {
      throw Importing.wrong("line " + e.getLocation().getLineNr(), "that is no JSON");
    }
    if (!keys.isArray()) {
      throw Importing.wrong("the body", "a JWK set has an array \"keys\"");
    }
    Importing importing = new Importing();
    for (int i = 0; i < keys.size(); i++) {
      String place = "keys[" + i + "]";
      JsonNode ep = keys.get(i).path("ep");
      if (!ep.isMissingNode() && !ep.isString()) {
        throw Importing.wrong(place, "ep is a name");
      }
      try {
        Jwk key = Jwk.parse(JSON.writeValueAsBytes(keys.get(i)));
        importing.add(place, ListedKey.of(key, Importing.name(place, ep.asString(""))));
      } catch (Rejection e) {
        throw Importing.wrong(place, e.line());
      }
    }
    return importing.keys();
  }
}
