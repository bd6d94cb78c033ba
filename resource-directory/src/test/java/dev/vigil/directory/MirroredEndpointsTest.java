package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.Fact;
import org.junit.jupiter.api.Test;

/** Endpoints that the mirror speaks for. */
class MirroredEndpointsTest {
  private final Desk desk = new Desk();

  @Test
  void theMirrorsEndpointsAreShownAsIfTheyWereTheEndpointItself() {
    String id =
        desk.publishMirrored(
            "mote",
            "JKT",
            "</temp>;rt=\"t\",</a/../hum>,</t>;anchor=\"/temp\";rel=\"alternate\","
                + "<http://h/doc>;anchor=\"/temp\";rel=\"describedby\"");
    String expected =
        """
        </ms/ID/temp>;rt="t",</ms/ID/hum>,</ms/ID/t>;anchor="/ms/ID/temp";rel="alternate",
        <http://h/doc>;anchor="/ms/ID/temp";rel="describedby",
        </keys/JKT>;rel="describedby";ct=65101;anchor="/ms/ID/temp",
        </keys/JKT>;rel="describedby";ct=65101;anchor="/ms/ID/hum\""""
            .replace("ID", id);
    assertThat(
            desk.lookUp("/.well-known/core?href=/ms/*") + desk.lookUp("/.well-known/core?href=/x"))
        .isEqualTo(
            Desk.unwrapped(
                """
                </ms/ID/temp>;rt="t",</ms/ID/hum>,</ms/ID/t>;anchor="/ms/ID/temp";rel="alternate\""""
                    .replace("ID", id)));
    assertThat(desk.lookUp("/.well-known/core")).endsWith("," + Desk.unwrapped(expected));
    assertThat(desk.lookUp("/.well-known/core?rt=core.rd*")).doesNotContain("/ms/");
    assertThat(desk.lookUp("/rd-lookup/res?ep=mote"))
        .isEqualTo(
            Desk.unwrapped(expected)
                .replace("</", "<coap://rd.example.com/")
                .replace("anchor=\"/", "anchor=\"coap://rd.example.com/"));
    assertThat(desk.lookUp("/rd-lookup/ep?base=coap://rd.example.com"))
        .isEqualTo("</rd/" + id + ">;ep=mote;base=\"coap://rd.example.com\";rt=core.rd-ep");
    assertThat(desk.lookUp("/rd-lookup/res?href=coap://rd.example.com/ms/" + id + "/temp"))
        .isEqualTo("<coap://rd.example.com/ms/" + id + "/temp>;rt=\"t\"");
  }

  @Test
  void aConfiguredMirrorBaseIsShownToAll() {
    desk.publishMirrored("mote", "JKT", "</temp>");
    DirectoryConfig standard = DirectoryConfig.standard();
    desk.open(
        new DirectoryConfig(
            "coap://gw.example",
            standard.grace(),
            standard.maxRegistrations(),
            standard.links(),
            standard.maxResults(),
            standard.changesPerSource(),
            standard.burstSeconds()));
    assertThat(desk.lookUp("/rd-lookup/res")).startsWith("<coap://gw.example/ms/");
  }

  @Test
  void theMirrorSpeaksForItsEndpoints() {
    String id = desk.publishMirrored("mote", "JKT", "</temp>");
    assertThat(desk.ask("POST /rd?ep=mote", "</temp>").code()).isEqualTo(Code.FORBIDDEN);
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    assertThat(desk.ask("DELETE /rd/" + id).code()).isEqualTo(Code.FORBIDDEN);
    desk.submit("mote", Fact.none(Registration.SLOT));
    assertThat(desk.lookUp("/.well-known/core")).doesNotContain("/ms/");
    desk.register("ep=mote", "</temp>");
  }
}
