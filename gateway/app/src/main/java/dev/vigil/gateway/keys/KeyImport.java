package dev.vigil.gateway.keys;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.store.NameGrammar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the keys of one import. Errors name the place in the body. */
final class KeyImport {
  private static final int MAX_KEYS = 10_000;

  /** The maximum number of faults in an answer; further faults are only counted. */
  private static final int MAX_FAULTS = 50;

  private static final String NOTHING_IMPORTED = "; nothing was imported";

  private final List<ListedKey> keys = new ArrayList<>();
  private final Map<String, String> places = new HashMap<>();
  private final List<String> faults = new ArrayList<>();

  /** Reads one item; its fault is reported with the faults of the other items. */
  void attempt(Runnable item) {
    try {
      item.run();
    } catch (ErrorResponseException e) {
      faults.add(e.diagnostic().replace(NOTHING_IMPORTED, ""));
    }
  }

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

  /**
   * @throws ErrorResponseException 4.00 when there were faults, with the place of each
   */
  List<ListedKey> keys() {
    if (!faults.isEmpty()) {
      int more = faults.size() - MAX_FAULTS;
      throw new ProblemException(
          ProblemType.INVALID_BODY,
          String.join("; ", faults.subList(0, Math.min(MAX_FAULTS, faults.size())))
              + (more > 0 ? "; and " + more + " more" : "")
              + NOTHING_IMPORTED);
    }
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

  static ProblemException invalid(String place, String reason) {
    return new ProblemException(ProblemType.INVALID_BODY, place + ": " + reason + NOTHING_IMPORTED);
  }
}
