package dev.vigil.mirror.model;

import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.wire.WireReader;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An accepted registration.
 *
 * @param links in link format, as received
 * @param type the endpoint type {@code et}
 * @param lifetime seconds; 0 if the endpoint withdrew
 * @param wake seconds between updates; {@link #UNKNOWN} if the endpoint registered none
 * @param registered unix time in seconds
 * @param expires unix time in seconds
 * @param seq the sequence number of the registration; 0 for a plain one
 * @param digest SHA-256 of the registration's payload
 * @param aliases ids of the endpoint from before its key was proven
 */
public record Lease(
    String links,
    @Nullable String type,
    long lifetime,
    long wake,
    long registered,
    long expires,
    long seq,
    byte[] digest,
    List<String> aliases) {
  public static final long UNKNOWN = 0;

  /**
   * The JSON form in the store, which {@link #read} reads.
   *
   * @param registration the JWS of a signed registration, else null
   */
  public byte[] body(@Nullable String registration) {
    JsonWriter json = new JsonWriter().open('{').member("links", links).member("et", type);
    json.member("lt", lifetime).member("wake", wake);
    json.member("registered", registered).member("expires", expires).member("seq", seq);
    json.member("sha256", Base64.getUrlEncoder().withoutPadding().encodeToString(digest));
    json.name("aliases").open('[');
    aliases.forEach(json::string);
    return json.close(']').member("registration", registration).close('}').toOctets();
  }

  public static Lease read(byte[] body) {
    return read(new JsonReader(new WireReader(body)));
  }

  public static Lease read(JsonReader json) {
    return new Parser(json).lease();
  }

  public Lease withExpiry(long newExpires) {
    return new Lease(links, type, lifetime, wake, registered, newExpires, seq, digest, aliases);
  }

  public Lease withAliases(List<String> newAliases) {
    return new Lease(links, type, lifetime, wake, registered, expires, seq, digest, newAliases);
  }

  /**
   * The registration of a key that has left the name. It has expired, and a repetition of its
   * message is a new registration.
   *
   * @param now unix time in seconds
   */
  public Lease ended(long now) {
    return new Lease(
        links, type, lifetime, wake, registered, Math.min(expires, now), 0, new byte[0], aliases);
  }

  /** The body of {@link StoreSlots#LIFE}, which extends a registration. */
  public static byte[] prolongation(long expires) {
    return new JsonWriter().open('{').member("expires", expires).close('}').toOctets();
  }

  Lease prolongedBy(byte[] prolongation) {
    long[] newExpires = {expires};
    JsonReader json = new JsonReader(new WireReader(prolongation));
    json.object(name -> newExpires[0] = Math.max(newExpires[0], json.integer()));
    return withExpiry(newExpires[0]);
  }

  private static final class Parser {
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

    Parser(JsonReader json) {
      this.json = json;
    }

    Lease lease() {
      json.object(this::member);
      return new Lease(
          links, type, lifetime, wake, registered, expires, seq, digest, List.copyOf(aliases));
    }

    private void member(String name) {
      switch (name) {
        // Endpoints of the same type have the same texts, so each text is kept only once.
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
