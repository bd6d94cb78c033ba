package dev.vigil.gateway.publish;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * A registration of an endpoint, confirmed by a remote directory.
 *
 * @param directory address of the remote directory
 * @param location path of the registration in percent-decoded segments
 * @param shown {@link DesiredRegistration#digest} of the registration
 * @param lifetime the registered lifetime in seconds
 * @param until expiry, Unix time in seconds
 */
record PublishedRegistration(
    String directory,
    EndpointName name,
    List<String> location,
    String shown,
    long lifetime,
    long until) {
  /** The store's name for this state; no endpoint of the mirror can have it. */
  static final EndpointName STATE = new EndpointName(".published", "");

  private static final String SLOT = "published/";

  /**
   * Whether a fact is a published registration. The name alone does not suffice, because the
   * directory accepts registrations under any name.
   */
  static boolean isState(EndpointName name, Fact fact) {
    return name.equals(STATE) && fact.slot().startsWith(SLOT);
  }

  Fact toFact() {
    Stored stored = new Stored(directory, name.ep(), name.d(), location, shown, lifetime, until);
    return new Fact(slot(), 1, Stored.JSON.writeValueAsBytes(stored));
  }

  Fact toNone() {
    return Fact.none(slot());
  }

  private String slot() {
    return slot(directory, name);
  }

  /**
   * The slot for a directory and an endpoint; it contains a digest because the names may be long.
   */
  static String slot(String directory, EndpointName name) {
    String all = directory + '\0' + name.d() + '\0' + name.ep();
    return SLOT + digest(all.getBytes(StandardCharsets.UTF_8));
  }

  static String digest(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Jwk.sha256(octets));
  }

  /**
   * Reads the body of {@link #toFact()}.
   *
   * @throws tools.jackson.core.JacksonException when the body does not have that form
   */
  static PublishedRegistration read(byte[] body) {
    Stored stored = Stored.JSON.readValue(body, Stored.class);
    return new PublishedRegistration(
        stored.directory,
        new EndpointName(stored.ep, stored.d),
        List.copyOf(stored.location),
        stored.shown,
        stored.lt,
        stored.until);
  }

  /**
   * The members of the stored JSON; existing databases contain them, so names and order must not
   * change.
   */
  @JsonPropertyOrder({"directory", "ep", "d", "location", "shown", "lt", "until"})
  private record Stored(
      String directory,
      String ep,
      String d,
      List<String> location,
      String shown,
      long lt,
      long until) {
    static final JsonMapper JSON = JsonMapper.builder().build();
  }
}
