package dev.vigil.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.signed.cbor.CborWriter;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.TestSigner;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.cbor.CBORMapper;

class RegistrationTest {
  @TempDir Path folder;

  @Test
  void theAnswerIsSignedByTheIdentityKeyOverTheRequest() throws Exception {
    MirrorFixture mirror = new MirrorFixture(folder);
    byte[] payload = MirrorFixture.registration(new TestSigner(), "mote-1", 7, "");

    Response signed =
        mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, payload, ContentFormat.COSE_SIGN1);
    assertThat(signed.code().dotted()).isEqualTo("2.01");
    assertThat(signed.location()).containsExactly("ms", "1");
    Jwk identity = Jwk.parse(mirror.get("/keys/mirror").payload());
    JsonNode parts = new CBORMapper().readTree(signed.payload());
    byte[] structure =
        CoseStructure.of(
            parts.get(0).binaryValue(), Jwk.sha256(payload), parts.get(2).binaryValue());
    assertThat(CoseStructure.verify(identity, structure, parts.get(3).binaryValue())).isTrue();
    JsonNode map = new CBORMapper().readTree(parts.get(2).binaryValue());
    assertThat(map.get("0").asLong()).isEqualTo(mirror.clock.instant().getEpochSecond());
    assertThat(map.get("1").asLong()).isEqualTo(7);
    assertThat(map.get("3").asLong()).isEqualTo(4096);
    assertThat(map.size()).isEqualTo(3);
  }

  @Test
  void aUsedNumberIsAnsweredWithHAloneOrInTheMap() throws Exception {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    mirror.registered(mote, "mote-1", 7);
    byte[] late = MirrorFixture.registration(mote, "mote-1", 6, "");

    Response plain = mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, late);
    assertThat(plain.code().dotted()).isEqualTo("4.09");
    assertThat(MirrorFixture.line(plain)).isEqualTo("7");
    Response map = mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, late, ContentFormat.CBOR);
    assertThat(map.code().dotted()).isEqualTo("4.09");
    assertThat(new CBORMapper().readTree(map.payload()).get("1").asLong()).isEqualTo(7);
    Response signed =
        mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, late, ContentFormat.COSE_SIGN1);
    assertThat(signed.format()).isEqualTo(ContentFormat.COSE_SIGN1);
  }

  @Test
  void aJwkWithAPrivateKeyIsRefusedInEitherForm() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String leaked = mote.jwk().json().replace("}", ",\"d\":\"" + "A".repeat(43) + "\"}");
    String header =
        "{\"alg\":\"ES256\",\"typ\":\"vigil-reg\",\"cty\":\"application/link-format\",\"jwk\":%s,\"ep\":\"mote-1\",\"seq\":1}"
            .formatted(leaked);
    byte[] plain =
        new CborWriter()
            .array(4)
            .integer(40)
            .octets(MirrorFixture.LINKS.getBytes(UTF_8))
            .integer(65101)
            .octets(leaked.getBytes(UTF_8))
            .toOctets();
    for (Response refused :
        List.of(
            mirror.ask(
                Method.POST, "/ms", ContentFormat.JOSE, mote.jws(header, MirrorFixture.SENML)),
            mirror.ask(Method.POST, "/ms?ep=mote-1", ContentFormat.MULTIPART, plain))) {
      assertThat(refused.code().dotted()).isEqualTo("4.00");
      assertThat(MirrorFixture.line(refused)).contains("private").doesNotContain("AAAA");
    }
    assertThat(mirror.queries().endpoints()).isEmpty();
  }

  @Test
  void aRetransmissionGetsTheSameAnswerWithoutAChange() {
    MirrorFixture mirror = new MirrorFixture(folder);
    byte[] payload = MirrorFixture.registration(new TestSigner(), "mote-1", 7, "");
    Response first = mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, payload);
    long position = mirror.queries().position();
    Response second = mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, payload);
    assertThat(second.location()).isEqualTo(first.location());
    assertThat(second.code().dotted()).isEqualTo("2.01");
    assertThat(mirror.queries().position()).isEqualTo(position);
  }

  @Test
  void queryParametersMustEqualTheSignedMembers() {
    MirrorFixture mirror = new MirrorFixture(folder);
    byte[] payload = MirrorFixture.registration(new TestSigner(), "mote-1", 7, ",\"lt\":600");
    for (String query : List.of("?ep=mote-2", "?d=other", "?lt=601", "?wake=5", "?et=x")) {
      Response refused = mirror.ask(Method.POST, "/ms" + query, ContentFormat.JOSE, payload);
      assertThat(refused.code().dotted()).as(query).isEqualTo("4.00");
    }
    assertThat(
            mirror
                .ask(Method.POST, "/ms?ep=mote-1&lt=600", ContentFormat.JOSE, payload)
                .code()
                .dotted())
        .isEqualTo("2.01");
  }

  @Test
  void aTypeThatFitsIntoNoOptionIsRefused() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String longest = "ä".repeat(126);
    byte[] tooLong = MirrorFixture.registration(mote, "mote-1", 7, ",\"et\":\"" + longest + "x\"");
    Response refused = mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, tooLong);
    assertThat(MirrorFixture.line(refused)).contains("et is longer than 252 octets");
    byte[] fitting = MirrorFixture.registration(mote, "mote-1", 7, ",\"et\":\"" + longest + "\"");
    assertThat(mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, fitting).code().dotted())
        .isEqualTo("2.01");
  }

  @Test
  void anUnknownDomainIsRefusedAndNeverCreated() {
    MirrorFixture mirror = new MirrorFixture(folder);
    Response refused = mirror.register(new TestSigner(), "mote-1", 1, ",\"d\":\"elsewhere\"");
    assertThat(refused.code().dotted()).isEqualTo("4.03");
    assertThat(mirror.store.size()).isZero();
  }

  @Test
  void registrationAndPublicationAreCommittedTogether() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    mirror.registered(mote, "mote-1", 1);
    List<Store.HistoryEntry> published =
        mirror.store.history(new EndpointName("mote-1", ""), Registration.SLOT, -1, 1);
    List<Store.HistoryEntry> lease =
        mirror.store.history(new EndpointName("mote-1", ""), StoreSlots.LEASE, -1, 1);
    assertThat(published.getFirst().position()).isEqualTo(lease.getFirst().position());
    assertThat(Registration.fromFact(published.getFirst().body()).origin())
        .isEqualTo(new Registration.Published(mote.jkt()));
    assertThat(new String(lease.getFirst().body(), UTF_8)).contains("\"registration\":\"eyJ");
  }

  @Test
  void aWithdrawnEndpointReturnsUnderTheSameId() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));

    assertThat(mirror.register(mote, "mote-1", 3, ",\"lt\":0").code().dotted()).isEqualTo("2.01");

    assertThat(mirror.get(entry + "/temp").code().dotted()).isEqualTo("4.04");
    List<Store.HistoryEntry> published =
        mirror.store.history(new EndpointName("mote-1", ""), Registration.SLOT, -1, 1);
    assertThat(published).isEmpty();
    assertThat(mirror.registered(mote, "mote-1", 4)).isEqualTo(entry);
  }

  @Test
  void aRegistrationExpiresUnlessUpdatesExtendIt() {
    MirrorFixture mirror = new MirrorFixture(folder);
    TestSigner mote = new TestSigner();
    String entry = MirrorFixture.entry(mirror.register(mote, "mote-1", 1, ",\"lt\":100"));
    mirror.clock.forward(Duration.ofSeconds(60));
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));
    mirror.clock.forward(Duration.ofSeconds(90));
    assertThat(mirror.get(entry + "/temp").code().dotted())
        .as("prolonged after 60 s")
        .isEqualTo("2.05");
    mirror.clock.forward(Duration.ofSeconds(10));
    assertThat(mirror.get(entry + "/temp").code().dotted()).isEqualTo("4.04");
    assertThat(mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 3)).code().dotted())
        .isEqualTo("4.04");
    assertThat(mirror.registered(mote, "mote-1", 4)).isEqualTo(entry);
  }

  @Test
  void aFullDomainRemovesAnExpiredNameElseRefuses() {
    MirrorFixture mirror = new MirrorFixture(folder, TestDomain.nameless().endpoints(2).build());
    TestSigner first = new TestSigner();
    String entry = MirrorFixture.entry(mirror.register(first, "a", 1, ",\"lt\":10"));
    mirror.put(entry + "/temp", MirrorFixture.update(first, "temp", 5));
    mirror.registered(new TestSigner(), "b", 1);
    assertThat(mirror.register(new TestSigner(), "c", 1, "").code().dotted()).isEqualTo("5.03");
    mirror.clock.forward(Duration.ofSeconds(11));
    assertThat(mirror.register(new TestSigner(), "c", 1, "").code().dotted()).isEqualTo("2.01");
    assertThat(mirror.queries().endpoint(entry.substring(4))).isEmpty();
    assertThat(mirror.store.endpoint(new EndpointName("a", "")).orElseThrow().high())
        .as("H is kept")
        .isEqualTo(5);
  }

  @Test
  void anExpiredNameThatWasNeverTrustedIsForgotten() {
    MirrorFixture mirror = new MirrorFixture(folder, Domain.of("", TrustPolicy.APPROVE));
    TestSigner stranger = new TestSigner();
    TestSigner trusted = new TestSigner();
    mirror.register(stranger, "stranger", 9, ",\"lt\":60");
    String id =
        MirrorFixture.entry(mirror.register(trusted, "trusted", 7, ",\"lt\":60")).substring(4);
    mirror.operations().approve(trusted.jkt(), id, List.of(""), "alice").join();
    mirror.register(new TestSigner(), "waits", 1, "");
    mirror.proxy().forgetExpiredNames();
    mirror.clock.forward(Duration.ofMinutes(62));

    mirror.proxy().forgetExpiredNames();

    assertThat(mirror.queries().endpoints())
        .extracting(EndpointView::ep)
        .containsExactlyInAnyOrder("trusted", "waits");
    for (String slot : List.of(StoreSlots.LEASE, StoreSlots.KEY, StoreSlots.AUDIT)) {
      assertThat(mirror.store.history(new EndpointName("stranger", ""), slot, -1, 9)).isEmpty();
    }
    assertThat(mirror.register(trusted, "trusted", 7, "").code().dotted()).isEqualTo("4.09");
    assertThat(mirror.register(stranger, "stranger", 10, "").code().dotted()).isEqualTo("2.01");
  }
}
