package dev.vigil.gateway.keys;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.mirror.model.ListedKey;
import dev.vigil.store.NameGrammar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the keys of one import. Errors name the place in the body. */
final class KeyImport {
  private static final int MAX_KEYS = 10_000;

  private final List<ListedKey> keys = new ArrayList<>();
  private final Map<String, String> places = new HashMap<>();

  void add(String place, ListedKey key) {
    String before = places.put(key.jkt(), place);
    if (before != null) {
      throw invalid(place, "the same key is in " + before);
    }
    if (keys.size() == MAX_KEYS) {
      throw invalid(place, "an import has at most " + MAX_KEYS + " keys");
    }
    keys.add(key);
  }

  List<ListedKey> keys() {
    if (keys.isEmpty()) {
      throw invalid("the body", "it contains no key");
    }
    return List.copyOf(keys);
  }

  /** The endpoint name that a key is bound to; null when it is empty. */
  static @Nullable String name(String place, String ep) {
    if (ep.isEmpty()) {
      return null;
    }
    String fault = NameGrammar.fault(ep);
    if (fault != null) {
      throw invalid(place, "ep " + fault);
    }
    return ep;
  }

  static ErrorResponseException invalid(String place, String reason) {
    return new ErrorResponseException(
        Code.BAD_REQUEST, place + ": " + reason + "; nothing was imported");
  }
}
