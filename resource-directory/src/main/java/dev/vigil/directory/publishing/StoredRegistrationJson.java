package dev.vigil.directory.publishing;

import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.coap.link.UriHosts;
import dev.vigil.store.StoreException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The stored form of a registration, JSON that an operator can read:
 *
 * <pre>
 * {"lt":90000,"base":"coap://[2001:db8::1]","links":"&lt;/temp&gt;;rt=\"t\"","params":["et=x"]}
 * </pre>
 *
 * Optional members: {@code "given":false} when the base is the source address, {@code "owner"},
 * {@code "from"} the source address with its zone, {@code "unverified":true} when that address may
 * be forged, {@code "link"}, {@code "simple":true} after simple registration. A published endpoint
 * has {@code "mirrored":"JKT"} in place of a base; databases keep this member's name. Earlier
 * versions wrote no {@code from}; it is then taken from the base if the base is the source address.
 */
final class StoredRegistrationJson {
  /** Separates an address from its zone (RFC 4007 section 11). */
  private static final char ZONE = '%';

  private static final JsonFactory JSON = new JsonFactory();

  private StoredRegistrationJson() {}

  static byte[] write(Registration registration) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeNumberProperty("lt", registration.lifetime());
      switch (registration.origin()) {
        case Registration.Direct direct -> write(json, direct);
        case Registration.Published(String jkt) -> json.writeStringProperty("mirrored", jkt);
      }
      json.writeStringProperty("links", LinkFormat.write(registration.links()));
      if (!registration.parameters().isEmpty()) {
        json.writeArrayPropertyStart("params");
        for (Query.Parameter parameter : registration.parameters()) {
          json.writeString(parameter.name() + "=" + parameter.value());
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  private static void write(JsonGenerator json, Registration.Direct direct) {
    json.writeStringProperty("base", direct.base());
    if (!direct.stated()) {
      json.writeBooleanProperty("given", false);
    }
    Registrant registrant = direct.registrant();
    if (!registrant.owner().isEmpty()) {
      json.writeStringProperty("owner", registrant.owner());
    }
    SourceAddress source = registrant.source();
    if (source != null) {
      String zone = registrant.zone().isEmpty() ? "" : ZONE + registrant.zone();
      json.writeStringProperty("from", source.literal() + zone);
      if (!registrant.verified()) {
        json.writeBooleanProperty("unverified", true);
      }
    }
    if (!direct.link().isEmpty()) {
      json.writeStringProperty("link", direct.link());
    }
    if (direct.simple()) {
      json.writeBooleanProperty("simple", true);
    }
  }

  static Registration.Stored read(byte[] body) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), body)) {
      return new Parser().parse(json);
    } catch (JacksonException | IllegalArgumentException e) {
      throw new StoreException("a registration in the store cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Collects the members. Unknown members are skipped, because a newer version may have written
   * them.
   */
  private static final class Parser {
    private long lifetime;
    private String base = "";
    private boolean stated = true;
    private String owner = "";
    private String from = "";
    private boolean verified = true;
    private String link = "";
    private boolean simple;
    private String jkt = "";
    private String links = "";
    private final List<Query.Parameter> parameters = new ArrayList<>();

    Registration.Stored parse(JsonParser json) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("not an object");
      }
      for (String name = json.nextName(); name != null; name = json.nextName()) {
        json.nextToken();
        member(json, name);
      }
      Registration.Origin origin =
          jkt.isEmpty()
              ? new Registration.Direct(base, stated, registrant(), link, simple)
              : new Registration.Published(jkt);
      return new Registration.Stored(origin, lifetime, links, List.copyOf(parameters));
    }

    private Registrant registrant() {
      if (from.isEmpty()) {
        return earlier();
      }
      int zone = from.indexOf(ZONE);
      String literal = zone < 0 ? from : from.substring(0, zone);
      return new Registrant(
          owner,
          SourceAddress.ofLiteral(literal),
          zone < 0 ? "" : from.substring(zone + 1),
          verified);
    }

    /** The registrant of a registration that an earlier version wrote. */
    private Registrant earlier() {
      String literal = stated ? "" : UriHosts.unbracketed(base);
      return literal.isEmpty()
          ? new Registrant(owner, null, "", false)
          : new Registrant(owner, SourceAddress.ofLiteral(literal), link, false);
    }

    private void member(JsonParser json, String name) {
      switch (name) {
        case "lt" -> lifetime = json.getLongValue();
        case "base" -> base = json.getString();
        case "given" -> stated = json.getBooleanValue();
        case "owner" -> owner = json.getString();
        case "from" -> from = json.getString();
        case "unverified" -> verified = !json.getBooleanValue();
        case "link" -> link = json.getString();
        case "simple" -> simple = json.getBooleanValue();
        case "mirrored" -> jkt = json.getString();
        case "links" -> links = json.getString();
        case "params" -> {
          while (json.nextToken() == JsonToken.VALUE_STRING) {
            parameters.add(Query.Parameter.parse(json.getString()));
          }
        }
        default -> json.skipChildren();
      }
    }
  }
}
