package dev.vigil.gateway.keys;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.mirror.ListedKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys of one import so far; what is wrong is told with its place. */
final class Importing {
  private static final int MOST = 10_000;
  private static final int MAX_NAME = 63;

  private final List<ListedKey> keys = new ArrayList<>();
  private final Map<String, String> places = new HashMap<>();

  void add(String place, ListedKey key) {
    String before = places.put(key.jkt(), place);
    if (before != null) {
      throw wrong(place, "the key stands in " + before + " already");
    }
    if (keys.size() == MOST) {
      throw wrong(place, "an import has at most " + MOST + " keys");
    }
    keys.add(key);
  }

  List<ListedKey> keys() {
    if (keys.isEmpty()) {
      throw wrong("the body", "it holds no key");
    }
    return List.copyOf(keys);
  }

  /** The name that a key is bound to; null for an empty one. */
  static @Nullable String name(String place, String ep) {
    if (ep.getBytes(StandardCharsets.UTF_8).length > MAX_NAME
        || ep.startsWith(".")
        || ep.chars().anyMatch(c -> c < 0x20 || c == 0x7f)) {
      throw wrong(place, "ep has 1 to 63 octets, no control character, no dot in front");
    }
    return ep.isEmpty() ? null : ep;
  }

  static ExchangeException wrong(String place, String what) {
    return new ExchangeException(Code.BAD_REQUEST, place + ": " + what + "; nothing was imported");
  }
}
