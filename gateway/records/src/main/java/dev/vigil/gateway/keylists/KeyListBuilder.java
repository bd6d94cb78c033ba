package dev.vigil.gateway.keylists;

import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.store.NameGrammar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the keys of one list. Errors name the place in the list. */
final class KeyListBuilder {
  private static final int MAX_KEYS = 10_000;

  /** The maximum number of faults in a message; further faults are only counted. */
  private static final int MAX_FAULTS = 50;

  private final List<ListedKey> keys = new ArrayList<>();
  private final Map<String, String> places = new HashMap<>();
  private final List<String> faults = new ArrayList<>();

  /** Reads one item; its fault is reported with the faults of the other items. */
  void attempt(Runnable item) {
    try {
      item.run();
    } catch (KeyListException e) {
      faults.add(String.valueOf(e.getMessage()));
    }
  }

  void add(String place, ListedKey key) {
    String before = places.put(key.jkt(), place);
    if (before != null) {
      throw KeyListException.at(place, "the same key is in " + before);
    }
    if (keys.size() == MAX_KEYS) {
      throw KeyListException.at(place, "an import has at most " + MAX_KEYS + " keys");
    }
    keys.add(key);
  }

  /**
   * @throws KeyListException when there were faults, with the place of each
   */
  List<ListedKey> keys() {
    if (!faults.isEmpty()) {
      int more = faults.size() - MAX_FAULTS;
      throw new KeyListException(
          String.join("; ", faults.subList(0, Math.min(MAX_FAULTS, faults.size())))
              + (more > 0 ? "; and " + more + " more" : ""));
    }
    if (keys.isEmpty()) {
      throw KeyListException.at("the body", "it contains no key");
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
      throw KeyListException.at(place, "ep " + fault);
    }
    return ep;
  }
}
