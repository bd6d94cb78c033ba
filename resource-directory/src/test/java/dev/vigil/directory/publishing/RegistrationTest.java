package dev.vigil.directory.publishing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.SourceAddress;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegistrationTest {
  private static final List<Link> LINKS =
      LinkFormat.parse("</temp>;rt=\"t \\\"x\\\"\";obs,</a>", LinkFormat.Limits.STANDARD);
  private static final List<Query.Parameter> PARAMETERS =
      List.of(new Query.Parameter("et", "tag:x=y"), new Query.Parameter("flag", ""));

  private static void assertRoundTrip(Registration registration) {
    assertThat(Registration.fromFact(registration.toFact().body())).isEqualTo(registration);
    assertThat(registration.toFact().slot()).isEqualTo("rd");
    assertThat(registration.toFact().keep()).isEqualTo(1);
  }

  @Test
  void survivesARoundTripThroughTheStore() {
    assertRoundTrip(
        new Registration(
            new Registration.Direct("coap://[2001:db8::1]"), 90_000, LINKS, PARAMETERS));
    assertRoundTrip(
        new Registration(
            new Registration.Direct(
                "coap://[fe80::1]",
                false,
                new Registrant("psk:me", SourceAddress.ofLiteral("fe80::1"), "eth0", true),
                "eth0",
                true),
            Registration.LONGEST_LIFETIME,
            List.of(),
            List.of()));
    assertRoundTrip(
        new Registration(
            new Registration.Published("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"),
            1,
            LINKS,
            PARAMETERS));
  }

  @Test
  void theStoredFormIsReadableJson() {
    Registration registration =
        new Registration(new Registration.Direct("coap://[2001:db8::1]"), 60, LINKS, List.of());
    assertThat(new String(registration.toFact().body(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"lt\":60,\"base\":\"coap://[2001:db8::1]\","
                + "\"links\":\"</temp>;rt=\\\"t \\\\\\\"x\\\\\\\"\\\";obs,</a>\"}");
  }

  @Test
  void theSourceOfAnEarlierVersionIsTakenFromTheBase() {
    assertThat(registrant("\"base\":\"coap://[2001:db8::1]:61616\",\"given\":false"))
        .isEqualTo(new Registrant("", SourceAddress.ofLiteral("2001:db8::1"), "", false));
    assertThat(registrant("\"base\":\"coap://192.0.2.1\",\"given\":false,\"owner\":\"psk:a\""))
        .isEqualTo(new Registrant("psk:a", SourceAddress.ofLiteral("192.0.2.1"), "", false));
    assertThat(registrant("\"base\":\"coap://192.0.2.1\"")).isEqualTo(Registrant.UNKNOWN);
  }

  @Test
  void theStoredFormNamesTheSource() {
    Registrant registrant = new Registrant("", SourceAddress.ofLiteral("192.0.2.1"), "", false);
    Registration registration =
        new Registration(
            new Registration.Direct("coap://h", true, registrant, "", false),
            60,
            List.of(),
            List.of());
    assertThat(new String(registration.toFact().body(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"lt\":60,\"base\":\"coap://h\",\"from\":\"192.0.2.1\",\"unverified\":true,\"links\":\"\"}");
    assertRoundTrip(registration);
  }

  private static Registrant registrant(String members) {
    byte[] body = ("{\"lt\":60," + members + ",\"links\":\"\"}").getBytes(StandardCharsets.UTF_8);
    return ((Registration.Direct) Registration.fromFact(body).origin()).registrant();
  }

  /** Databases of earlier versions hold this member name. */
  @Test
  void theStoredFormOfAPublishedEndpointNamesItsKey() {
    Registration registration =
        new Registration(new Registration.Published("JKT"), 60, List.of(), List.of());
    assertThat(new String(registration.toFact().body(), StandardCharsets.UTF_8))
        .isEqualTo("{\"lt\":60,\"mirrored\":\"JKT\",\"links\":\"\"}");
  }

  @Test
  void skipsMembersOfALaterVersion() {
    byte[] later =
        "{\"new\":{\"a\":[1]},\"lt\":60,\"base\":\"coap://h\",\"links\":\"\"}"
            .getBytes(StandardCharsets.UTF_8);
    assertThat(Registration.fromFact(later))
        .isEqualTo(new Registration(new Registration.Direct("coap://h"), 60, List.of(), List.of()));
  }

  @Test
  void refusesAnotherBody() {
    for (String body : List.of("", "[]", "{\"lt\":0}", "{\"lt\":60,\"links\":\"x\"}", "{\"lt\"")) {
      assertThatThrownBy(() -> Registration.fromFact(body.getBytes(StandardCharsets.UTF_8)))
          .isInstanceOf(StoreException.class);
    }
  }
}
