package dev.vigil.mirror.model.keys;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.link.UriHosts;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;

/**
 * The time and the source of a waiting key.
 *
 * @param at unix time in seconds
 * @param from the source address as text; empty when unknown: earlier versions did not store it
 * @param verified whether the address was known to be the sender's own
 */
public record KeyArrival(long at, String from, boolean verified) {
  /** The arrival of a key that was stored without arrival. */
  public static KeyArrival unknown(long at) {
    return new KeyArrival(at, "", false);
  }

  public static KeyArrival of(Caller caller, long at) {
    // The zone of a link-local address means nothing after a restart.
    String from = UriHosts.text(caller.source().getAddress());
    return new KeyArrival(at, from, caller.verified());
  }

  public void write(JsonWriter json) {
    json.open('{').member("at", at).member("from", from);
    json.member("verified", verified ? 1 : 0).close('}');
  }

  public static KeyArrival read(JsonReader json) {
    long[] at = {0};
    String[] from = {""};
    boolean[] verified = {false};
    json.object(
        name -> {
          switch (name) {
            case "at" -> at[0] = json.integer();
            case "from" -> from[0] = json.string();
            case "verified" -> verified[0] = json.integer() == 1;
            default -> json.skip();
          }
        });
    return new KeyArrival(at[0], from[0], verified[0]);
  }
}
