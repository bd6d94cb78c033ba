package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.directory.publishing.Registrant;
import dev.vigil.directory.publishing.Registration;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only the gateway describes the gateway's resources. */
class OwnResourcesTest {
  private static final OwnAuthorities OWN =
      new OwnAuthorities(
          InetAddress.ofLiteral("2001:db8::1")::equals,
          Set.of("gateway.example"),
          () -> Set.of(5683, 8080));

  private final DirectoryFixture fixture = new DirectoryFixture();

  @BeforeEach
  void publishAMote() {
    fixture.reopen(
        DirectoryConfig.standard(
            new PublishedLocation("", "/served", "/signers", ContentFormat.JWK, OWN)));
    fixture.publish("mote", "KEY", "</t>");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Stores a registration as an earlier version accepted it. */
  private void stored(String base, String links) {
    List<Link> parsed = LinkFormat.parse(links, LinkFormat.Limits.NONE);
    fixture.submit(
        "old",
        new Registration(
                new Registration.Direct(base, true, Registrant.UNKNOWN, "", false),
                600,
                parsed,
                List.of())
            .toFact());
  }

  private void requireOnlyTheGatewaysDescription() {
    for (String path :
        List.of("/rd-lookup/res", "/rd-lookup/res?rel=describedby", "/.well-known/core")) {
      assertThat(fixture.lookUp(path)).contains("/signers/KEY").doesNotContain("EVIL");
    }
    assertThat(fixture.lookUp("/rd-lookup/ep?rel=describedby")).doesNotContain("ep=old");
    for (int id = 1; id <= 2; id++) {
      Response shown = fixture.ask("GET /rd/" + id);
      assertThat(DirectoryFixture.text(shown)).doesNotContain("EVIL");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "coap://[2001:db8::1]/served/1/t",
        "COAP://[2001:DB8:0:0::1]:5683/served/1/t",
        "http://[2001:db8::1%25eth0]:8080/served/1/t",
        "coap://Gateway%2eExample./served/1/t",
        // The authority by which the client reached the gateway.
        "coap://rd.example.com/served/1/t",
      })
  void linksThatNameTheGatewayAreRefusedAndHidden(String anchor) {
    String links = "<coap://evil/EVIL>;rel=\"describedby\";anchor=\"%s\"".formatted(anchor);
    Response refused = fixture.ask("POST /rd?ep=evil", links);
    assertThat(refused.code()).isEqualTo(Code.BAD_REQUEST);
    assertThat(DirectoryFixture.text(refused)).contains("names this gateway");
    assertThat(fixture.ask("POST /rd?ep=evil", "<" + anchor + ">;rt=EVIL").code())
        .isEqualTo(Code.BAD_REQUEST);
    stored("coap://evil", links);
    requireOnlyTheGatewaysDescription();
    stored("coap://evil", "<" + anchor + ">;rel=describedby;rt=EVIL");
    requireOnlyTheGatewaysDescription();
  }

  @Test
  void aBaseThatNamesTheGatewayIsRefusedAndHidden() {
    String links = "</signers/EVIL>;rel=describedby;anchor=\"/served/1/t\"";
    assertThat(fixture.ask("POST /rd?ep=evil&base=coap://gateway.example", links).code())
        .isEqualTo(Code.BAD_REQUEST);
    String id = fixture.register("ep=other&base=coap://other", "</a>");
    assertThat(fixture.ask("POST /rd/" + id + "?base=coap://[2001:db8::1]").code())
        .isEqualTo(Code.BAD_REQUEST);
    stored("coap://gateway.example", links);
    assertThat(fixture.lookUp("/rd-lookup/ep")).doesNotContain("ep=old");
    requireOnlyTheGatewaysDescription();
  }

  @Test
  void pathsOfAnotherEndpointAreShownWithItsBase() {
    String id =
        fixture.register(
            "ep=evil&base=coap://evil", "</signers/EVIL>;rel=describedby;anchor=\"/served/1/t\"");
    assertThat(fixture.lookUp("/rd/" + id))
        .isEqualTo("<coap://evil/signers/EVIL>;rel=describedby;anchor=\"coap://evil/served/1/t\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "coap://gateway.example/served/1/t",
        "//gateway.example/served/1/t",
        "served/1/t",
        "../served/1/t",
        "?x",
      })
  void anEndpointOfTheGatewayCannotPoseAsAnother(String anchor) {
    fixture.publish(
        "evil", "EVILKEY", "<coap://evil/EVIL>;rel=describedby;anchor=\"" + anchor + "\"");
    requireOnlyTheGatewaysDescription();
  }
}
