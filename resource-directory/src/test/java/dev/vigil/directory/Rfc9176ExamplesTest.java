package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.LinkFetcher;
import dev.vigil.coap.exchange.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * The examples of RFC 9176 as published, by section. The RFC leaves open ids, the order of
 * attributes, and {@code ct=40} in an endpoint's link. Comments mark examples that contradict the
 * RFC's own text.
 */
class Rfc9176ExamplesTest {
  private static final String NODE1_LINKS =
      """
      </sensors/temp>;rt=temperature-c;if=sensor,
      <http://www.example.com/sensors/temp>;
        anchor="/sensors/temp";rel=describedby""";

  private final DirectoryFixture fixture = new DirectoryFixture();

  private String register(String query, String links) {
    Response response = fixture.ask("POST /rd?" + query, links);
    assertThat(response.code()).as(DirectoryFixture.text(response)).isEqualTo(Code.CREATED);
    assertThat(response.location()).hasSize(2).first().isEqualTo("rd");
    return response.location().getLast();
  }

  private void assertLookUp(String pathAndQuery, String expected) {
    assertThat(fixture.lookUp(pathAndQuery)).isEqualTo(DirectoryFixture.unwrapped(expected));
  }

  @Test
  void section4_3DiscoversTheThreeLinks() {
    assertLookUp(
        "/.well-known/core?rt=core.rd*",
        """
        </rd>;rt="core.rd";ct=40,
        </rd-lookup/ep>;rt="core.rd-lookup-ep";ct="40 50";obs,
        </rd-lookup/res>;rt="core.rd-lookup-res";ct="40 50";obs""");
    assertLookUp("/.well-known/core?rt=core.rd", "</rd>;rt=\"core.rd\";ct=40");
    assertLookUp(
        "/.well-known/core?rt=core.rd-lookup-res",
        "</rd-lookup/res>;rt=\"core.rd-lookup-res\";ct=\"40 50\";obs");
  }

  @Test
  void section5RegistersNode1() {
    String id = register("ep=node1", NODE1_LINKS);
    String links =
        """
        <coap://[2001:db8:3::123]:61616/sensors/temp>;rt=temperature-c;if=sensor,
        <http://www.example.com/sensors/temp>;
          anchor="coap://[2001:db8:3::123]:61616/sensors/temp";rel=describedby""";
    assertLookUp("/rd/" + id, links);
    assertLookUp("/rd-lookup/res?ep=node1", links);
  }

  @Test
  void section5RegistersOverHttpWithABase() {
    register("ep=node1&base=http://[2001:db8:1::1]", NODE1_LINKS);
    assertLookUp(
        "/rd-lookup/res?ep=node1&rt=temperature-c",
        "<http://[2001:db8:1::1]/sensors/temp>;rt=temperature-c;if=sensor");
  }

  @Test
  void section5_1RegistersSimply() {
    fixture.fetcher =
        Optional.of(
            request ->
                CompletableFuture.completedFuture(
                    new LinkFetcher.Fetched("</sen/temp>".getBytes(StandardCharsets.UTF_8), 60)));
    assertThat(fixture.ask("POST /.well-known/rd?lt=6000&ep=node1").code()).isEqualTo(Code.CHANGED);
    assertLookUp("/rd-lookup/res?ep=node1", "<coap://[2001:db8:3::123]:61616/sen/temp>");
  }

  @Test
  void section5_3_1UpdatesLifetimeAndBase() {
    String id =
        register("ep=endpoint1&lt=500&base=coap://local-proxy-old.example.com", NODE1_LINKS);
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
    assertLookUp(
        "/rd-lookup/res?ep=endpoint1",
        """
        <coap://local-proxy-old.example.com/sensors/temp>;
            rt=temperature-c;if=sensor,
        <http://www.example.com/sensors/temp>;
            anchor="coap://local-proxy-old.example.com/sensors/temp";
            rel=describedby""");

    assertThat(fixture.ask("POST /rd/" + id + "?base=coaps://new.example.com").code())
        .isEqualTo(Code.CHANGED);
    assertLookUp(
        "/rd-lookup/res?ep=endpoint1",
        """
        <coaps://new.example.com/sensors/temp>;
            rt=temperature-c;if=sensor,
        <http://www.example.com/sensors/temp>;
            anchor="coaps://new.example.com/sensors/temp";
            rel=describedby""");
  }

  @Test
  void section5_3_2RemovesARegistration() {
    String id = register("ep=node1", NODE1_LINKS);
    assertThat(fixture.ask("DELETE /rd/" + id).code()).isEqualTo(Code.DELETED);
    assertThat(fixture.ask("DELETE /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
    assertThat(fixture.ask("POST /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
    assertLookUp("/rd-lookup/res", "");
  }

  @Test
  void section6_3LooksUpByResourceType() {
    register(
        "ep=t",
        """
        </temp>;
            rt="tag:example.org,2020:temperature",
        </other>;rt=other""");
    assertLookUp(
        "/rd-lookup/res?rt=tag:example.org,2020:temperature",
        """
        <coap://[2001:db8:3::123]:61616/temp>;
            rt="tag:example.org,2020:temperature\"""");
  }

  @Test
  void section6_3NotifiesObserversOfNewLights() {
    int[] changes = new int[1];
    Response empty = fixture.ask("GET /rd-lookup/res?rt=tag:example.org,2020:light");
    assertThat(empty.code()).isEqualTo(Code.CONTENT);
    assertThat(empty.payload()).isEmpty();
    var watch = fixture.topics.watch(Objects.requireNonNull(empty.topic()), () -> changes[0]++);
    register(
        "ep=lamps&base=coap://[2001:db8:3::124]",
        """
          </west>;rt="tag:example.org,2020:light",
          </south>;rt="tag:example.org,2020:light",
          </east>;rt="tag:example.org,2020:light\"""");
    watch.close();
    assertThat(changes[0]).isEqualTo(1);
    assertLookUp(
        "/rd-lookup/res?rt=tag:example.org,2020:light",
        """
        <coap://[2001:db8:3::124]/west>;rt="tag:example.org,2020:light",
        <coap://[2001:db8:3::124]/south>;rt="tag:example.org,2020:light",
        <coap://[2001:db8:3::124]/east>;rt="tag:example.org,2020:light\"""");
  }

  @Test
  void section6_3PagesThroughResources() {
    StringBuilder links = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      links.append(i == 0 ? "" : ",").append("</res/").append(i).append(">;ct=60");
    }
    register("ep=many", links.toString());
    assertLookUp(
        "/rd-lookup/res?page=0&count=5",
        """
        <coap://[2001:db8:3::123]:61616/res/0>;ct=60,
        <coap://[2001:db8:3::123]:61616/res/1>;ct=60,
        <coap://[2001:db8:3::123]:61616/res/2>;ct=60,
        <coap://[2001:db8:3::123]:61616/res/3>;ct=60,
        <coap://[2001:db8:3::123]:61616/res/4>;ct=60""");
    assertLookUp(
        "/rd-lookup/res?page=1&count=5",
        """
        <coap://[2001:db8:3::123]:61616/res/5>;ct=60,
        <coap://[2001:db8:3::123]:61616/res/6>;ct=60,
        <coap://[2001:db8:3::123]:61616/res/7>;ct=60,
        <coap://[2001:db8:3::123]:61616/res/8>;ct=60,
        <coap://[2001:db8:3::123]:61616/res/9>;ct=60""");
    assertLookUp("/rd-lookup/res?page=2&count=5", "");
  }

  @Test
  void section6_3LooksUpResourcesByEndpointType() {
    String links =
        """
        </sensors>;ct=40;title="Sensor Index",
        </sensors/temp>;rt=temperature-c;if=sensor,
        </sensors/light>;rt=light-lux;if=sensor,
        <http://www.example.com/sensors/t123>;rel=describedby;
            anchor="/sensors/temp",
        </t>;rel=alternate;anchor="/sensors/temp\"""";
    for (String name : List.of("sensor1", "sensor2")) {
      register(
          "ep=%s&et=tag:example.com,2020:platform&base=coap://%s.example.com".formatted(name, name),
          links);
    }
    register("ep=sensor3&et=other", links);
    assertLookUp(
        "/rd-lookup/res?et=tag:example.com,2020:platform",
        """
        <coap://sensor1.example.com/sensors>;ct=40;title="Sensor Index",
        <coap://sensor1.example.com/sensors/temp>;rt=temperature-c;if=sensor,
        <coap://sensor1.example.com/sensors/light>;rt=light-lux;if=sensor,
        <http://www.example.com/sensors/t123>;rel=describedby;
            anchor="coap://sensor1.example.com/sensors/temp",
        <coap://sensor1.example.com/t>;rel=alternate;
            anchor="coap://sensor1.example.com/sensors/temp",
        <coap://sensor2.example.com/sensors>;ct=40;title="Sensor Index",
        <coap://sensor2.example.com/sensors/temp>;rt=temperature-c;if=sensor,
        <coap://sensor2.example.com/sensors/light>;rt=light-lux;if=sensor,
        <http://www.example.com/sensors/t123>;rel=describedby;
            anchor="coap://sensor2.example.com/sensors/temp",
        <coap://sensor2.example.com/t>;rel=alternate;
            anchor="coap://sensor2.example.com/sensors/temp\"""");
  }

  @Test
  void section6_4LooksUpEndpointsByEndpointType() {
    String node5 =
        register(
            "ep=node5&et=tag:example.com,2020:platform&base=coap://[2001:db8:3::127]:61616", "");
    String node7 =
        register(
            "ep=node7&et=tag:example.com,2020:platform&d=floor-3"
                + "&base=coap://[2001:db8:3::129]:61616",
            "</a>");
    register("ep=node9&et=tag:example.com,2020:other", "");
    assertLookUp(
        "/rd-lookup/ep?et=tag:example.com,2020:platform",
        """
        </rd/%s>;ep=node5;base="coap://[2001:db8:3::127]:61616";
            et="tag:example.com,2020:platform";rt=core.rd-ep,
        </rd/%s>;ep=node7;d=floor-3;base="coap://[2001:db8:3::129]:61616";
            et="tag:example.com,2020:platform";rt=core.rd-ep"""
            .formatted(node5, node7));
  }

  @Test
  void section10_1InstallsLights() {
    String lights =
        """
        </light/left>;rt="tag:example.com,2020:light",
        </light/middle>;rt="tag:example.com,2020:light",
        </light/right>;rt="tag:example.com,2020:light\"""";
    register("ep=lm_R2-4-015_wndw&base=coap://[2001:db8:4::1]&d=R2-4-015", lights);
    register("ep=lm_R2-4-015_door&base=coap://[2001:db8:4::2]&d=R2-4-015", lights);
    register(
        "ep=ps_R2-4-015_door&base=coap://[2001:db8:4::3]&d=R2-4-015",
        "</ps>;rt=\"tag:example.com,2020:p-sensor\"");
    String group = register("ep=grp_R2-4-015&et=core.rd-group&base=coap://[ff05::1]", lights);
    assertLookUp(
        "/rd-lookup/ep?et=core.rd-group&rt=tag:example.com,2020:light",
        """
        </rd/%s>;ep=grp_R2-4-015;base="coap://[ff05::1]";et=core.rd-group;rt=core.rd-ep"""
            .formatted(group));
    // The RFC looks up d=R2-4-015 and rt=light here and finds the group, which was registered
    // without a sector and has no resource of that type; by section 6.2 all criteria must match.
    assertLookUp("/rd-lookup/ep?d=R2-4-015&et=core.rd-group&rt=light", "");
    assertThat(fixture.lookUp("/rd-lookup/res?d=R2-4-015&rt=tag:example.com,2020:light").split(","))
        .hasSize(12);
    assertThat(fixture.lookUp("/rd-lookup/ep?d=R2-4-015&rt=tag:example.com,2020:p-sensor"))
        .contains("ep=ps_R2-4-015_door")
        .doesNotContain("ep=lm_");
  }

  @Test
  void appendixARegistersAGroup() {
    String id =
        register(
            "ep=lights&et=core.rd-group&base=coap://[ff35:30:2001:db8:f1::8000:1]",
            """
        </light>;rt="tag:example.com,2020:light";
             if="tag:example.net,2020:actuator",
        </color-temperature>;if="tag:example.net,2020:parameter";u=K""");
    // The RFC's answer swaps two groups of the address, and has an ampersand in place of a
    // semicolon.
    assertLookUp(
        "/rd-lookup/ep?et=core.rd-group",
        "</rd/%s>;ep=lights;base=\"coap://[ff35:30:2001:db8:f1::8000:1]\";et=core.rd-group;rt=core.rd-ep"
            .formatted(id));
    assertLookUp(
        "/rd-lookup/res?et=core.rd-group",
        """
        <coap://[ff35:30:2001:db8:f1::8000:1]/light>;
             rt="tag:example.com,2020:light";
             if="tag:example.net,2020:actuator",
        <coap://[ff35:30:2001:db8:f1::8000:1]/color-temperature>;
             if="tag:example.net,2020:parameter";u=K""");
  }

  @Test
  void appendixB3LooksUpASimpleHost() {
    // The RFC's host sends from port 6553, yet the base has no port, which section 5 allows for
    // the default port only.
    fixture.caller = Caller.anonymous(DirectoryFixture.address("2001:db8:f0::1", 5683), true);
    fixture.fetcher =
        Optional.of(
            request ->
                CompletableFuture.completedFuture(
                    new LinkFetcher.Fetched(
                        DirectoryFixture.unwrapped(
                                """
                                </sensors/temp>;rt=temperature;ct=0,
                                </sensors/light>;rt=light-lux;ct=0,
                                </t>;anchor="/sensors/temp";rel=alternate,
                                <http://www.example.com/sensors/t123>;anchor="/sensors/temp";
                                    rel=describedby""")
                            .getBytes(StandardCharsets.UTF_8),
                        60)));
    assertThat(fixture.ask("POST /.well-known/rd?ep=simple-host1").code()).isEqualTo(Code.CHANGED);
    assertLookUp(
        "/rd-lookup/res?rt=temperature",
        "<coap://[2001:db8:f0::1]/sensors/temp>;rt=temperature;ct=0");
    assertLookUp(
        "/rd-lookup/res?ep=simple-host1",
        """
        <coap://[2001:db8:f0::1]/sensors/temp>;rt=temperature;ct=0,
        <coap://[2001:db8:f0::1]/sensors/light>;rt=light-lux;ct=0,
        <coap://[2001:db8:f0::1]/t>;
            anchor="coap://[2001:db8:f0::1]/sensors/temp";rel=alternate,
        <http://www.example.com/sensors/t123>;
            anchor="coap://[2001:db8:f0::1]/sensors/temp";rel=describedby""");
  }

  @Test
  void appendixB3ResolvesAgainstAStatedBase() {
    register(
        "ep=simple-host1&base=coap+tcp://sh1.example.com", "</sensors/temp>;rt=temperature;ct=0");
    assertLookUp(
        "/rd-lookup/res?rt=temperature",
        "<coap+tcp://sh1.example.com/sensors/temp>;rt=temperature;ct=0");
  }
}
