package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.store.Fact;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Endpoints that another service publishes and answers for. */
class PublishedEndpointsTest {
  private final DirectoryFixture fixture = new DirectoryFixture();

  @Test
  void showsLinksAtTheLocationThatServesThem() {
    String id =
        fixture.publish(
            "mote",
            "JKT",
            "</temp>;rt=\"t\",</a/../hum>,</t>;anchor=\"/temp\";rel=\"alternate\","
                + "<http://h/doc>;anchor=\"/temp\";rel=\"describedby\"");
    String expected =
        """
        </served/ID/temp>;rt="t",</served/ID/hum>,</served/ID/t>;anchor="/served/ID/temp";rel="alternate",
        <http://h/doc>;anchor="/served/ID/temp";rel="describedby",
        </signers/JKT>;rel="describedby";ct=65101;anchor="/served/ID/temp",
        </signers/JKT>;rel="describedby";ct=65101;anchor="/served/ID/hum\""""
            .replace("ID", id);
    assertThat(
            fixture.lookUp("/.well-known/core?href=/served/*")
                + fixture.lookUp("/.well-known/core?href=/x"))
        .isEqualTo(
            DirectoryFixture.unwrapped(
                """
                </served/ID/temp>;rt="t",</served/ID/hum>,</served/ID/t>;anchor="/served/ID/temp";rel="alternate\""""
                    .replace("ID", id)));
    assertThat(fixture.lookUp("/.well-known/core"))
        .endsWith("," + DirectoryFixture.unwrapped(expected));
    assertThat(fixture.lookUp("/.well-known/core?rt=core.rd*")).doesNotContain("/served/");
    assertThat(fixture.lookUp("/rd-lookup/res?ep=mote"))
        .isEqualTo(
            DirectoryFixture.unwrapped(expected)
                .replace("</", "<coap://rd.example.com/")
                .replace("anchor=\"/", "anchor=\"coap://rd.example.com/"));
    assertThat(fixture.lookUp("/rd-lookup/ep?base=coap://rd.example.com"))
        .isEqualTo("</rd/" + id + ">;ep=mote;base=\"coap://rd.example.com\";rt=core.rd-ep");
    assertThat(fixture.lookUp("/rd-lookup/res?href=coap://rd.example.com/served/" + id + "/temp"))
        .isEqualTo("<coap://rd.example.com/served/" + id + "/temp>;rt=\"t\"");
  }

  @Test
  void showsAConfiguredBaseToAllClients() {
    fixture.publish("mote", "JKT", "</temp>");
    fixture.reopen(
        DirectoryConfig.standard(
            new PublishedLocation("coap://gw.example", "/served", "/signers", ContentFormat.JWK)));
    assertThat(fixture.lookUp("/rd-lookup/res")).startsWith("<coap://gw.example/served/");
  }

  @Test
  void onlyThePublisherChangesItsEndpoints() {
    String id = fixture.publish("mote", "JKT", "</temp>");
    assertThat(fixture.ask("POST /rd?ep=mote", "</temp>").code()).isEqualTo(Code.FORBIDDEN);
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    assertThat(fixture.ask("DELETE /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    fixture.submit("mote", Fact.none(Registration.SLOT));
    assertThat(fixture.lookUp("/.well-known/core")).doesNotContain("/served/");
    fixture.register("ep=mote", "</temp>");
  }

  @Test
  void theNameOfAnExpiredEndpointIsFree() {
    String id = fixture.publish("mote", "JKT", "</temp>");
    fixture.advance(Duration.ofSeconds(600));
    fixture.directory.expire();
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    assertThat(fixture.ask("DELETE /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    fixture.register("ep=mote&base=coap://h", "</temp>");
    assertThat(fixture.lookUp("/rd-lookup/res")).isEqualTo("<coap://h/temp>");
  }
}
