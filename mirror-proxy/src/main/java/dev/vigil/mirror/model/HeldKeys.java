package dev.vigil.mirror.model;

import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.wire.WireReader;
import dev.vigil.store.Fact;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys that ask for a name in addition to the endpoint's own key, and operators' approvals in
 * advance.
 *
 * @param keys in the order of their arrival
 * @param approved thumbprints of keys that an operator approved for this name before they asked for
 *     it; the next registration with such a key gets the name. Newest last
 */
public record HeldKeys(List<HeldKey> keys, List<String> approved) {
  public static final HeldKeys NONE = new HeldKeys(List.of(), List.of());

  private static final int MAX_APPROVED = 8;

  public HeldKeys {
    keys = List.copyOf(keys);
    approved = List.copyOf(approved);
  }

  public boolean isEmpty() {
    return keys.isEmpty() && approved.isEmpty();
  }

  public @Nullable HeldKey find(String jkt) {
    for (HeldKey key : keys) {
      if (key.jkt().equals(jkt)) {
        return key;
      }
    }
    return null;
  }

  public boolean isApproved(String jkt) {
    return approved.contains(jkt);
  }

  public HeldKeys withKeys(List<HeldKey> newKeys) {
    return new HeldKeys(newKeys, approved);
  }

  /** Adds an approval in advance; beyond eight, drops the oldest. */
  public HeldKeys withApproved(String jkt) {
    List<String> next = new ArrayList<>(approved);
    next.remove(jkt);
    next.add(jkt);
    return new HeldKeys(keys, next.subList(Math.max(0, next.size() - MAX_APPROVED), next.size()));
  }

  /** Returns a copy without a key, whether the key was waiting or approved in advance. */
  public HeldKeys without(String jkt) {
    return new HeldKeys(
        keys.stream().filter(key -> !key.jkt().equals(jkt)).toList(),
        approved.stream().filter(each -> !each.equals(jkt)).toList());
  }

  public Fact fact() {
    return isEmpty() ? Fact.none(StoreSlots.HELD) : new Fact(StoreSlots.HELD, 1, body());
  }

  /** The JSON form in the store, which {@link #read} reads. */
  private byte[] body() {
    JsonWriter json = new JsonWriter().open('{').name("keys").open('[');
    keys.forEach(key -> key.write(json));
    json.close(']').name("approved").open('[');
    approved.forEach(json::string);
    return json.close(']').close('}').toOctets();
  }

  /** Also reads the form of earlier versions, which was a single held key. */
  static HeldKeys read(byte[] body) {
    JsonReader json = new JsonReader(new WireReader(body));
    List<HeldKey> keys = new ArrayList<>();
    List<String> approved = new ArrayList<>();
    HeldKey.Parser single = new HeldKey.Parser(json);
    json.object(
        name -> {
          switch (name) {
            case "keys" -> json.array(() -> keys.add(new HeldKey.Parser(json).object()));
            case "approved" -> json.array(() -> approved.add(json.string()));
            default -> single.member(name);
          }
        });
    if (!single.isEmpty()) {
      keys.add(single.held());
    }
    return new HeldKeys(keys, approved);
  }
}
