package dev.vigil.gateway.publish;

import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Fact;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.JsonText;
import dev.vigil.mirror.wire.WireReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * One endpoint in another directory, as that has confirmed it.
 *
 * @param directory its address
 * @param location path of the registration, percent-decoded segments
 * @param shown digest of what it shows
 * @param lifetime seconds that it was asked to keep it
 * @param until when it forgets it, unix time in seconds
 */
record Published(
    String directory,
    EndpointName name,
    List<String> location,
    String shown,
    long lifetime,
    long until) {
  /** What is published is kept under this name, which no endpoint of the mirror can have. */
  static final EndpointName STATE = new EndpointName(".published", "");

  private static final String SLOT = "published/";

  /** Whether a fact is one of ours; the directory takes registrations under any name. */
  static boolean isState(EndpointName name, Fact fact) {
    return name.equals(STATE) && fact.slot().startsWith(SLOT);
  }

  Fact toFact() {
    JsonText json = new JsonText().open('{').member("directory", directory);
    json.member("ep", name.ep()).member("d", name.d()).name("location").open('[');
    location.forEach(json::string);
    json.close(']').member("shown", shown).member("lt", lifetime).member("until", until);
    return new Fact(slot(), 1, json.close('}').toOctets());
  }

  Fact toNone() {
    return Fact.none(slot());
  }

  /** One for each directory and endpoint, whatever their names look like. */
  private String slot() {
    return slot(directory, name);
  }

  static String slot(String directory, EndpointName name) {
    String all = directory + '\0' + name.d() + '\0' + name.ep();
    return SLOT + digest(all.getBytes(StandardCharsets.UTF_8));
  }

  static String digest(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Jwk.sha256(octets));
  }

  /** What {@link #toFact()} wrote. */
  static Published read(byte[] body) {
    return new Reading(body).published();
  }

  private static final class Reading {
    private final JsonReader json;
    private final List<String> location = new ArrayList<>();
    private String directory = "";
    private String ep = "";
    private String d = "";
    private String shown = "";
    private long lifetime;
    private long until;

    Reading(byte[] body) {
      json = new JsonReader(new WireReader(body));
    }

    Published published() {
      json.object(this::member);
      return new Published(
          directory, new EndpointName(ep, d), List.copyOf(location), shown, lifetime, until);
    }

    private void member(String member) {
      switch (member) {
        case "directory" -> directory = json.string();
        case "ep" -> ep = json.string();
        case "d" -> d = json.string();
        case "location" -> json.array(() -> location.add(json.string()));
        case "shown" -> shown = json.string();
        case "lt" -> lifetime = json.integer();
        case "until" -> until = json.integer();
        default -> json.skip();
      }
    }
  }
}
