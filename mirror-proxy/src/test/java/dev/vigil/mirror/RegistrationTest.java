package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.registration.Registration;
import dev.vigil.directory.state.Batch;
import dev.vigil.directory.state.EndpointName;
import dev.vigil.directory.state.Store;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.jose.Signer;
import dev.vigil.mirror.wire.CborWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.cbor.CBORMapper;

class RegistrationTest {
  @TempDir Path folder;

  @Test
  void theAnswerMapIsSignedByTheIdentityKeyOverTheVeryRequest() throws Exception {
    World world = new World(folder);
    byte[] payload = World.registration(new Signer(), "mote-1", 7, "");

    Response signed =
        world.ask(Method.POST, "/ms", ContentFormat.JOSE, payload, ContentFormat.COSE_SIGN1);
    assertThat(signed.code().dotted()).isEqualTo("2.01");
    assertThat(signed.location()).containsExactly("ms", "1");
    Jwk identity = Jwk.parse(world.get("/keys/mirror").payload());
    JsonNode parts = new CBORMapper().readTree(signed.payload());
    byte[] structure =
        CoseStructure.of(
            parts.get(0).binaryValue(), Jwk.sha256(payload), parts.get(2).binaryValue());
    assertThat(CoseStructure.holds(identity, structure, parts.get(3).binaryValue())).isTrue();
    JsonNode map = new CBORMapper().readTree(parts.get(2).binaryValue());
    assertThat(map.get("0").asLong()).isEqualTo(world.clock.instant().getEpochSecond());
    assertThat(map.get("1").asLong()).isEqualTo(7);
    assertThat(map.get("3").asLong()).isEqualTo(4096);
    assertThat(map.size()).isEqualTo(3);
  }

  @Test
  void aUsedNumberIsAnsweredByTheSameMapWithH() throws Exception {
    World world = new World(folder);
    Signer mote = new Signer();
    world.registered(mote, "mote-1", 7);
    byte[] late = World.registration(mote, "mote-1", 6, "");

    Response plain = world.ask(Method.POST, "/ms", ContentFormat.JOSE, late);
    assertThat(plain.code().dotted()).isEqualTo("4.09");
    assertThat(World.line(plain)).isEqualTo("7");
    Response map = world.ask(Method.POST, "/ms", ContentFormat.JOSE, late, ContentFormat.CBOR);
    assertThat(map.code().dotted()).isEqualTo("4.09");
    assertThat(new CBORMapper().readTree(map.payload()).get("1").asLong()).isEqualTo(7);
    Response signed =
        world.ask(Method.POST, "/ms", ContentFormat.JOSE, late, ContentFormat.COSE_SIGN1);
    assertThat(signed.format()).isEqualTo(ContentFormat.COSE_SIGN1);
  }

  @Test
  void aKeyThatBringsItsPrivatePartIsRefusedInEitherForm() {
    World world = new World(folder);
    Signer mote = new Signer();
    String leaked = mote.jwk().json().replace("}", ",\"d\":\"" + "A".repeat(43) + "\"}");
    String header =
        "{\"alg\":\"ES256\",\"typ\":\"vigil-reg\",\"cty\":\"application/link-format\",\"jwk\":%s,\"ep\":\"mote-1\",\"seq\":1}"
            .formatted(leaked);
    byte[] plain =
        new CborWriter()
            .array(4)
            .integer(40)
            .octets(World.LINKS.getBytes(UTF_8))
            .integer(65101)
            .octets(leaked.getBytes(UTF_8))
            .toOctets();
    for (Response refused :
        List.of(
            world.ask(Method.POST, "/ms", ContentFormat.JOSE, mote.jws(header, World.SENML)),
            world.ask(Method.POST, "/ms?ep=mote-1", ContentFormat.MULTIPART, plain))) {
      assertThat(refused.code().dotted()).isEqualTo("4.00");
      assertThat(World.line(refused)).contains("private").doesNotContain("AAAA");
    }
    assertThat(world.mirror.endpoints()).isEmpty();
  }

  @Test
  void theSameOctetsAgainGetTheSameAnswerAndChangeNothing() {
    World world = new World(folder);
    byte[] payload = World.registration(new Signer(), "mote-1", 7, "");
    Response first = world.ask(Method.POST, "/ms", ContentFormat.JOSE, payload);
    long position = world.mirror.position();
    Response second = world.ask(Method.POST, "/ms", ContentFormat.JOSE, payload);
    assertThat(second.location()).isEqualTo(first.location());
    assertThat(second.code().dotted()).isEqualTo("2.01");
    assertThat(world.mirror.position()).isEqualTo(position);
  }

  @Test
  void whatTheQueryRepeatsMustAgree() {
    World world = new World(folder);
    byte[] payload = World.registration(new Signer(), "mote-1", 7, ",\"lt\":600");
    for (String query : List.of("?ep=mote-2", "?d=other", "?lt=601", "?wake=5", "?et=x")) {
      Response refused = world.ask(Method.POST, "/ms" + query, ContentFormat.JOSE, payload);
      assertThat(refused.code().dotted()).as(query).isEqualTo("4.00");
    }
    assertThat(
            world
                .ask(Method.POST, "/ms?ep=mote-1&lt=600", ContentFormat.JOSE, payload)
                .code()
                .dotted())
        .isEqualTo("2.01");
  }

  @Test
  void anUnknownDomainIsRefusedAndNeverCreated() {
    World world = new World(folder);
    Response refused = world.register(new Signer(), "mote-1", 1, ",\"d\":\"elsewhere\"");
    assertThat(refused.code().dotted()).isEqualTo("4.03");
    assertThat(world.store.size()).isZero();
  }

  @Test
  void registrationAndPublicationLandTogether() {
    World world = new World(folder);
    Signer mote = new Signer();
    world.registered(mote, "mote-1", 1);
    List<Store.Kept> published =
        world.store.history(new EndpointName("mote-1", ""), Registration.SLOT, -1, 1);
    List<Store.Kept> lease =
        world.store.history(new EndpointName("mote-1", ""), Slots.LEASE, -1, 1);
    assertThat(published.getFirst().position()).isEqualTo(lease.getFirst().position());
    assertThat(Registration.fromFact(published.getFirst().body()).origin())
        .isEqualTo(new Registration.Mirrored(mote.jkt()));
    assertThat(new String(lease.getFirst().body(), UTF_8)).contains("\"registration\":\"eyJ");
  }

  @Test
  void withdrawalTakesTheEndpointOutAndTheSameIdComesBack() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    world.put(entry + "/temp", World.update(mote, "temp", 2));

    assertThat(world.register(mote, "mote-1", 3, ",\"lt\":0").code().dotted()).isEqualTo("2.01");

    assertThat(world.get(entry + "/temp").code().dotted()).isEqualTo("4.04");
    List<Store.Kept> published =
        world.store.history(new EndpointName("mote-1", ""), Registration.SLOT, -1, 1);
    assertThat(published.getFirst().body()).isEmpty();
    assertThat(world.registered(mote, "mote-1", 4)).isEqualTo(entry);
  }

  @Test
  void aRegistrationRunsOutUnlessUpdatesKeepItAlive() {
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = World.entry(world.register(mote, "mote-1", 1, ",\"lt\":100"));
    world.clock.forward(Duration.ofSeconds(60));
    world.put(entry + "/temp", World.update(mote, "temp", 2));
    world.clock.forward(Duration.ofSeconds(90));
    assertThat(world.get(entry + "/temp").code().dotted()).as("prolonged at 60").isEqualTo("2.05");
    world.clock.forward(Duration.ofSeconds(10));
    assertThat(world.get(entry + "/temp").code().dotted()).isEqualTo("4.04");
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 3)).code().dotted())
        .isEqualTo("4.04");
    assertThat(world.registered(mote, "mote-1", 4)).isEqualTo(entry);
  }

  @Test
  void aPlainRegistrationIsNotPublishedUntilItsFirstValidUpdate() {
    World world = new World(folder);
    Signer mote = new Signer();
    Response registered =
        world.ask(Method.POST, "/ms?ep=mote-1&wake=60", ContentFormat.MULTIPART, World.plain(mote));
    assertThat(registered.code().dotted()).isEqualTo("2.01");
    String entry = World.entry(registered);
    assertThat(world.store.size()).as("nothing is left behind").isZero();
    assertThat(world.get(entry).code().dotted()).isEqualTo("4.04");
    assertThat(world.mirror.endpoints().getFirst().state()).isEqualTo(TrustState.UNPROVEN);

    byte[] forged = World.update(new Signer(), "temp", 1);
    assertThat(world.put(entry + "/temp", forged).code().dotted()).isEqualTo("4.01");
    assertThat(world.store.size()).isZero();
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 1)).code().dotted())
        .isEqualTo("2.01");

    assertThat(world.mirror.endpoints().getFirst().state()).isEqualTo(TrustState.TRUSTED);
    assertThat(world.get(entry + "/temp").code().dotted()).as("by the first id").isEqualTo("2.05");
    world.restart();
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 2)).code().dotted())
        .as("by the first id, after a restart")
        .isEqualTo("2.04");
    Response again =
        world.ask(Method.POST, "/ms?ep=mote-1", ContentFormat.MULTIPART, World.plain(mote));
    assertThat(again.code().dotted()).as("now it must be signed").isEqualTo("4.01");
    Caller dtls =
        new Caller(World.caller("::1", true).source(), true, true, new Caller.RawKey(mote.jkt()));
    assertThat(
            world
                .ask(Method.POST, "/ms?ep=mote-1", ContentFormat.MULTIPART, World.plain(mote), dtls)
                .code()
                .dotted())
        .as("or come over DTLS by that key")
        .isEqualTo("2.01");
  }

  @Test
  void aPlainRegistrationOverDtlsByTheKeyItselfNeedsNoFurtherProof() {
    World world = new World(folder);
    Signer mote = new Signer();
    Caller anonymous = World.caller("2001:db8::1", true);
    Caller byKey =
        new Caller(anonymous.source(), true, true, new Caller.RawKey(mote.jwk().thumbprint()));
    Caller byOther =
        new Caller(anonymous.source(), true, true, new Caller.RawKey(new Signer().jkt()));

    Response first = plainBy(world, mote, byKey);
    assertThat(first.location()).containsExactly("ms", "1");
    assertThat(world.mirror.endpoint("1").orElseThrow().state()).isEqualTo(TrustState.TRUSTED);
    assertThat(plainBy(world, mote, byKey).location()).isEqualTo(first.location());
    assertThat(plainBy(world, mote, anonymous).code().dotted()).isEqualTo("4.01");
    assertThat(plainBy(world, mote, byOther).code().dotted()).isEqualTo("4.01");
    assertThat(world.put("/ms/1/temp", World.update(mote, "temp", 1)).code().dotted())
        .isEqualTo("2.01");
  }

  private static Response plainBy(World world, Signer mote, Caller caller) {
    return world.ask(
        Method.POST, "/ms?ep=mote-1", ContentFormat.MULTIPART, World.plain(mote), caller);
  }

  @Test
  void anUnprovenRegistrationIsGoneAfterAnHour() {
    World world = new World(folder);
    Signer mote = new Signer();
    Response registered =
        world.ask(Method.POST, "/ms?ep=mote-1", ContentFormat.MULTIPART, World.plain(mote));
    String entry = World.entry(registered);
    world.clock.forward(Duration.ofHours(1));
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 1)).code().dotted())
        .isEqualTo("4.04");
    assertThat(world.mirror.endpoints()).isEmpty();
  }

  @Test
  void sourcesThatShowedNoAddressLeaveHalfOfThePlacesToOthers() {
    World world = new World(folder);
    for (int i = 0; i < 500; i++) {
      assertThat(plain(world, i, World.caller("2001:db8::a:" + i, false))).isEqualTo("2.01");
    }
    assertThat(plain(world, 500, World.caller("2001:db8::b", false))).isEqualTo("4.01");
    assertThat(plain(world, 500, World.caller("2001:db8::b", true))).isEqualTo("2.01");
  }

  private static String plain(World world, int i, Caller caller) {
    byte[] multipart = World.plain(new Signer());
    return world
        .ask(Method.POST, "/ms?ep=m" + i, ContentFormat.MULTIPART, multipart, caller)
        .code()
        .dotted();
  }

  @Test
  void plainRegistrationsOfOneSourceAreBounded() {
    World world = new World(folder);
    for (int i = 0; i < 16; i++) {
      assertThat(
              world
                  .ask(
                      Method.POST,
                      "/ms?ep=m" + i,
                      ContentFormat.MULTIPART,
                      World.plain(new Signer()))
                  .code()
                  .dotted())
          .isEqualTo("2.01");
    }
    Response refused =
        world.ask(Method.POST, "/ms?ep=m16", ContentFormat.MULTIPART, World.plain(new Signer()));
    assertThat(refused.code().dotted()).isEqualTo("4.29");
    assertThat(refused.maxAge()).isPositive();
    Caller other = World.caller("2001:db8::2", true);
    assertThat(
            world
                .ask(
                    Method.POST,
                    "/ms?ep=m16",
                    ContentFormat.MULTIPART,
                    World.plain(new Signer()),
                    other)
                .code()
                .dotted())
        .isEqualTo("2.01");
  }

  @Test
  void twoKeysMayAskForOneNamePlainlyAndTheFirstToProveItselfHasIt() {
    World world = new World(folder);
    Signer squatter = new Signer();
    Signer mote = new Signer();
    world.ask(Method.POST, "/ms?ep=mote-1", ContentFormat.MULTIPART, World.plain(squatter));
    Response mine =
        world.ask(Method.POST, "/ms?ep=mote-1", ContentFormat.MULTIPART, World.plain(mote));
    String entry = World.entry(mine);
    assertThat(world.put(entry + "/temp", World.update(mote, "temp", 1)).code().dotted())
        .isEqualTo("2.01");
    assertThat(world.mirror.endpoint(entry.substring(4)).orElseThrow().jkt()).isEqualTo(mote.jkt());
  }

  @Test
  void aNameThatTheDirectoryHasFromTheEndpointItselfIsHeld() {
    World world = new World(folder);
    Registration direct =
        new Registration(
            new Registration.Direct("coap://[2001:db8::7]"), 600, List.of(), List.of());
    world
        .store
        .submit(
            new Batch(
                new EndpointName("mote-1", ""),
                world.clock.instant(),
                OptionalLong.empty(),
                OptionalLong.of(0),
                List.of(direct.toFact())))
        .join();
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1);
    EndpointView view = world.mirror.endpoint(entry.substring(4)).orElseThrow();
    assertThat(view.state()).isEqualTo(TrustState.PENDING);
    assertThat(view.note()).contains("directory");
  }

  @Test
  void aFullDomainForgetsAnExpiredNameAndOtherwiseRefuses() {
    World world = new World(folder, TestDomain.nameless().endpoints(2).build());
    Signer first = new Signer();
    String entry = World.entry(world.register(first, "a", 1, ",\"lt\":10"));
    world.put(entry + "/temp", World.update(first, "temp", 5));
    world.registered(new Signer(), "b", 1);
    assertThat(world.register(new Signer(), "c", 1, "").code().dotted()).isEqualTo("5.03");
    world.clock.forward(Duration.ofSeconds(11));
    assertThat(world.register(new Signer(), "c", 1, "").code().dotted()).isEqualTo("2.01");
    assertThat(world.mirror.endpoint(entry.substring(4))).isEmpty();
    assertThat(world.store.endpoint(new EndpointName("a", "")).orElseThrow().high())
        .as("H is never forgotten")
        .isEqualTo(5);
  }
}
