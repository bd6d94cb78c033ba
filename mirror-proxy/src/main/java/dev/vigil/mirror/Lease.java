package dev.vigil.mirror;

import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.JsonText;
import dev.vigil.mirror.wire.WireReader;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an endpoint registered.
 *
 * @param links in link format, as it sent them
 * @param type {@code et}
 * @param lifetime seconds; 0 when it withdrew
 * @param wake seconds between its updates; {@link #UNKNOWN} when it told none
 * @param registered unix time in seconds
 * @param expires unix time in seconds
 * @param seq the number of the registration; 0 of a plain one
 * @param digest SHA-256 of the registration's payload
 * @param aliases ids that it had before it was proven
 */
record Lease(
    String links,
    @Nullable String type,
    long lifetime,
    long wake,
    long registered,
    long expires,
    long seq,
    byte[] digest,
    List<String> aliases) {
  static final long UNKNOWN = 0;

  /**
   * @param registration the payload of the registration: a JWS as it is, else nothing
   */
  byte[] body(@Nullable String registration) {
    JsonText json = new JsonText().open('{').member("links", links).member("et", type);
    json.member("lt", lifetime).member("wake", wake);
    json.member("registered", registered).member("expires", expires).member("seq", seq);
    json.member("sha256", Base64.getUrlEncoder().withoutPadding().encodeToString(digest));
    json.name("aliases").open('[');
    aliases.forEach(json::string);
    return json.close(']').member("registration", registration).close('}').toOctets();
  }

  static Lease read(byte[] body) {
    return read(new JsonReader(new WireReader(body)));
  }

  static Lease read(JsonReader json) {
    return new Reading(json).lease();
  }

  Lease until(long newExpires) {
    return new Lease(links, type, lifetime, wake, registered, newExpires, seq, digest, aliases);
  }

  Lease knownAs(List<String> newAliases) {
    return new Lease(links, type, lifetime, wake, registered, expires, seq, digest, newAliases);
  }

  /** The fact that prolongs a registration without repeating it. */
  static byte[] prolongation(long expires) {
    return new JsonText().open('{').member("expires", expires).close('}').toOctets();
  }

  Lease prolongedBy(byte[] prolongation) {
    long[] until = {expires};
    JsonReader json = new JsonReader(new WireReader(prolongation));
    json.object(name -> until[0] = Math.max(until[0], json.integer()));
    return until(until[0]);
  }

  private static final class Reading {
    private final JsonReader json;
    private final List<String> aliases = new ArrayList<>();
    private String links = "";
    private @Nullable String type;
    private long lifetime;
    private long wake = UNKNOWN;
    private long registered;
    private long expires;
    private long seq;
    private byte[] digest = {};

    Reading(JsonReader json) {
      this.json = json;
    }

    Lease lease() {
      json.object(this::member);
      return new Lease(
          links, type, lifetime, wake, registered, expires, seq, digest, List.copyOf(aliases));
    }

    private void member(String name) {
      switch (name) {
        // Motes of one make have the same, so each is kept once.
        case "links" -> links = json.string().intern();
        case "et" -> type = json.string().intern();
        case "lt" -> lifetime = json.integer();
        case "wake" -> wake = json.integer();
        case "registered" -> registered = json.integer();
        case "expires" -> expires = json.integer();
        case "seq" -> seq = json.integer();
        case "sha256" -> digest = Base64.getUrlDecoder().decode(json.string());
        case "aliases" -> json.array(() -> aliases.add(json.string()));
        default -> json.skip();
      }
    }
  }
}
