package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.directory.registration.RegistrationLimits;
import dev.vigil.store.Fact;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Registrations of clients without credentials: who owns them, and which give way. */
class StrangersTest {
  private static final String HONEST = "2001:db8:1::1";
  private static final String OTHER = "2001:db8:2::1";

  private final DirectoryFixture fixture = new DirectoryFixture();

  @BeforeEach
  void nobodyAdministers() {
    fixture.access =
        (caller, action, domain) ->
            action == Access.Action.OPERATE && !(caller.identity() instanceof Caller.Account)
                ? new Access.Refused(Code.FORBIDDEN, "no")
                : new Access.Allowed();
    at(HONEST);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private void at(String address) {
    fixture.caller = Caller.anonymous(DirectoryFixture.address(address, 61616), true);
  }

  private void forging(String address) {
    fixture.caller = Caller.anonymous(DirectoryFixture.address(address, 61616), false);
  }

  private void by(Caller.Identity identity, String address) {
    fixture.caller = new Caller(DirectoryFixture.address(address, 5684), true, true, identity);
  }

  private Code code(String line) {
    return fixture.ask(line, line.contains("/rd?") ? "</a>" : "").code();
  }

  @Nested
  class Ownership {
    @Test
    void anotherAddressNeitherOverwritesNorUpdatesNorRemoves() {
      String id = fixture.register("ep=a&base=coap://h", "</honest>");
      at(OTHER);
      Response refused = fixture.ask("POST /rd?ep=a&base=coap://evil", "</evil>");
      assertThat(refused.code()).isEqualTo(Code.FORBIDDEN);
      assertThat(DirectoryFixture.text(refused)).contains("another address", "operator");
      assertThat(code("POST /rd/" + id + "?base=coap://evil")).isEqualTo(Code.FORBIDDEN);
      assertThat(code("DELETE /rd/" + id)).isEqualTo(Code.FORBIDDEN);
      assertThat(fixture.answer(fixture.overHttp("DELETE /rd/" + id, "")).code())
          .isEqualTo(Code.FORBIDDEN);
      by(new Caller.PreSharedKey("other"), OTHER);
      assertThat(code("DELETE /rd/" + id)).isEqualTo(Code.FORBIDDEN);
      assertThat(fixture.lookUp("/rd-lookup/res")).isEqualTo("<coap://h/honest>");
    }

    @Test
    void theSameAddressMayChangeFromAnotherPortAndAfterARestart() {
      String id = fixture.register("ep=a", "</a>");
      fixture.reopen(DirectoryFixture.CONFIG);
      fixture.caller = Caller.anonymous(DirectoryFixture.address(HONEST, 40_000), true);
      assertThat(code("POST /rd/" + id)).isEqualTo(Code.CHANGED);
      assertThat(fixture.lookUp("/rd-lookup/ep")).contains("[2001:db8:1::1]:40000");
      assertThat(code("DELETE /rd/" + id)).isEqualTo(Code.DELETED);
    }

    @Test
    void theNameIsFreeWhenTheLifetimeEnds() {
      String id = fixture.register("ep=a&lt=60", "</a>");
      fixture.advance(Duration.ofSeconds(60));
      at(OTHER);
      assertThat(code("POST /rd/" + id)).as("another's renewal").isEqualTo(Code.FORBIDDEN);
      fixture.register("ep=a", "</b>");
      at(HONEST);
      assertThat(code("POST /rd?ep=a")).isEqualTo(Code.FORBIDDEN);
    }

    @Test
    void anOperatorRemovesAnyRegistration() {
      String id = fixture.register("ep=a&lt=4294967295", "</a>");
      by(new Caller.Account("operator", Set.of()), OTHER);
      assertThat(code("DELETE /rd/" + id)).isEqualTo(Code.DELETED);
      at(OTHER);
      fixture.register("ep=a", "</b>");
    }

    @Test
    void aForgedSourceRenewsAndChangesNothing() {
      String id = fixture.register("ep=a&base=coap://h&lt=600", "</a>");
      forging(HONEST);
      for (String line :
          List.of(
              "POST /rd?ep=a&base=coap://evil&lt=600",
              "POST /rd?ep=a&base=coap://h&lt=1",
              "POST /rd?ep=a&base=coap://h&lt=600&et=x",
              "POST /rd/" + id + "?lt=1",
              "POST /rd/" + id + "?base=coap://evil",
              "DELETE /rd/" + id)) {
        assertThat(code(line)).as(line).isEqualTo(Code.UNAUTHORIZED);
      }
      assertThat(code("POST /rd?ep=a&base=coap://h&lt=600")).isEqualTo(Code.CREATED);
      assertThat(code("POST /rd/" + id)).isEqualTo(Code.CHANGED);
    }

    @Test
    void credentialsMayChangeFromAnyAddress() {
      by(new Caller.PreSharedKey("mine"), HONEST);
      String id = fixture.register("ep=a", "</a>");
      by(new Caller.PreSharedKey("mine"), OTHER);
      assertThat(code("POST /rd/" + id + "?et=x")).isEqualTo(Code.CHANGED);
      assertThat(code("DELETE /rd/" + id)).isEqualTo(Code.DELETED);
    }

    @Test
    void aRegistrationOfAnEarlierVersionBelongsToTheFirstRenewer() {
      fixture.submit("a", stored("{\"lt\":600,\"base\":\"coap://h\",\"links\":\"</a>\"}"));
      at(OTHER);
      assertThat(code("POST /rd/1")).isEqualTo(Code.CHANGED);
      at(HONEST);
      assertThat(code("POST /rd/1")).isEqualTo(Code.FORBIDDEN);
      fixture.submit(
          "b",
          stored(
              "{\"lt\":600,\"base\":\"coap://[2001:db8:1::1]\",\"given\":false,\"links\":\"\"}"));
      at(OTHER);
      assertThat(code("POST /rd/2")).isEqualTo(Code.FORBIDDEN);
      at(HONEST);
      assertThat(code("POST /rd/2")).isEqualTo(Code.CHANGED);
    }

    private static Fact stored(String json) {
      return new Fact(Registration.SLOT, 1, json.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Nested
  class Pressure {
    private void limit(int registrations) {
      fixture.reopen(
          DirectoryFixture.CONFIG.with(
              RegistrationLimits.standard()
                  .withRegistrations(registrations)
                  .withRate(100_000, 10)));
    }

    /** Registers until refused, as a single source. */
    private int flood(String address, boolean verified) {
      if (verified) {
        at(address);
      } else {
        forging(address);
      }
      int accepted = 0;
      while (code("POST /rd?ep=flood-%s-%d&lt=4294967295".formatted(address, accepted))
          .isSuccess()) {
        accepted++;
        assertThat(accepted).isLessThan(1_000);
      }
      return accepted;
    }

    @Test
    void theGreediestSourceGivesWayAndHonestEntriesStay() {
      limit(20);
      fixture.register("ep=first", "</a>");
      flood(OTHER, true);
      for (int i = 0; i < 9; i++) {
        at("2001:db8:%x::1".formatted(0x100 + i));
        fixture.register("ep=late-" + i, "</a>");
      }
      assertThat(fixture.lookUp("/rd-lookup/ep")).contains("ep=first", "ep=late-0", "ep=late-8");
      assertThat(fixture.lookUp("/rd-lookup/ep"))
          .doesNotContain("ep=\"flood-" + OTHER + "-0\"")
          .contains("ep=\"flood-" + OTHER + "-18\"");
      assertThat(fixture.directory.size()).isEqualTo(20);
      assertThat(fixture.directory.evicted()).isEqualTo(9);
      at(OTHER);
      assertThat(code("POST /rd?ep=more")).as("the flood").isEqualTo(Code.SERVICE_UNAVAILABLE);
    }

    @Test
    void manyAddressesOfOneNetworkCountTogether() {
      limit(20);
      for (int i = 0; i < 20; i++) {
        at("2001:db8:2:1::%x".formatted(i + 1));
        fixture.register("ep=flood-" + i, "</a>");
      }
      at(HONEST);
      fixture.register("ep=honest", "</a>");
      fixture.register("ep=honest-2", "</a>");
    }

    @Test
    void forgedSourcesCountAsOne() {
      limit(20);
      for (int i = 0; i < 10; i++) {
        forging("2001:db8:%x::1".formatted(0x200 + i));
        fixture.register("ep=forged-" + i, "</a>");
      }
      forging("2001:db8:300::1");
      assertThat(code("POST /rd?ep=forged")).isEqualTo(Code.UNAUTHORIZED);
      flood(OTHER, true);
      at(HONEST);
      fixture.register("ep=honest", "</a>");
      assertThat(fixture.directory.evicted()).isPositive();
    }

    @Test
    void largeRegistrationsWeighMore() {
      fixture.reopen(
          DirectoryFixture.CONFIG.with(
              RegistrationLimits.standard().withOctets(400_000).withRate(100_000, 10)));
      String large = "</" + "a".repeat(20_000) + ">";
      for (int i = 0; fixture.ask("POST /rd?ep=large-" + i, large).code().isSuccess(); i++) {
        at("2001:db8:%x::1".formatted(0x400 + i));
        assertThat(i).isLessThan(100);
      }
      for (int i = 0; fixture.directory.evicted() == 0; i++) {
        at("2001:db8:%x::1".formatted(0x500 + i));
        fixture.register("ep=honest-" + i, "</a>");
        assertThat(i).isLessThan(300);
      }
    }

    @Test
    void credentialsAreNeverDisplacedAndDisplaceStrangers() {
      limit(20);
      by(new Caller.PreSharedKey("tool"), OTHER);
      for (int i = 0; i < 15; i++) {
        fixture.register("ep=tool-" + i, "</a>");
      }
      assertThat(flood(HONEST, true)).isEqualTo(5);
      by(new Caller.PreSharedKey("tool"), OTHER);
      for (int i = 15; i < 20; i++) {
        fixture.register("ep=tool-" + i, "</a>");
      }
      assertThat(code("POST /rd?ep=tool-20")).isEqualTo(Code.SERVICE_UNAVAILABLE);
      assertThat(fixture.lookUp("/rd-lookup/ep")).contains("tool-0", "tool-19");
    }

    /** Facts of the mirror under the same name: a stranger can register it there as well. */
    private void alsoInTheMirror(String ep) {
      fixture.submit(ep, new Fact("held", 1, new byte[] {1}));
    }

    @Test
    void aKeyThatWaitsUnderTheNameKeepsNoStrangersEntry() {
      limit(20);
      flood(OTHER, true);
      String longest = "flood-" + OTHER + "-0";
      alsoInTheMirror(longest);
      at(HONEST);
      fixture.register("ep=honest", "</a>");
      assertThat(fixture.lookUp("/rd-lookup/ep")).doesNotContain("ep=\"" + longest + "\"");
      assertThat(fixture.directory.evicted()).isEqualTo(1);
      limit(1_000);
      assertThat(fixture.directory.size()).as("it left the store too").isEqualTo(20);
    }

    @Test
    void anEntryThatChangesWhileItGivesWayStays() {
      limit(20);
      flood(OTHER, true);
      RequestDispatcher requests = new RequestDispatcher(fixture.directory.routes());
      fixture.store.hold();
      String changed = "ep=flood-" + OTHER + "-0&lt=4294967295&et=x";
      CompletableFuture<Response> change =
          requests.answer(fixture.request("POST /rd?" + changed, "</a>", List.of()));
      at(HONEST);
      CompletableFuture<Response> newcomer =
          requests.answer(fixture.request("POST /rd?ep=honest", "</a>", List.of()));
      fixture.store.release();
      assertThat(change.join().code()).isEqualTo(Code.CREATED);
      assertThat(newcomer.join().code()).isEqualTo(Code.CREATED);
      assertThat(fixture.lookUp("/rd-lookup/ep?et=x")).isNotEmpty();
      assertThat(fixture.directory.evicted()).isZero();
    }

    @Test
    void anEntryThatReplacesTheOneThatGivesWayStays() {
      limit(20);
      flood(OTHER, true);
      fixture.store.hold();
      fixture.replace("flood-" + OTHER + "-0");
      at(HONEST);
      CompletableFuture<Response> newcomer =
          new RequestDispatcher(fixture.directory.routes())
              .answer(fixture.request("POST /rd?ep=honest", "</a>", List.of()));
      fixture.store.release();
      assertThat(newcomer.join().code()).isEqualTo(Code.CREATED);
      assertThat(fixture.lookUp("/rd-lookup/ep?base=coap://fresh")).isNotEmpty();
      assertThat(fixture.directory.evicted()).isZero();
    }

    @Test
    void strangersGiveWayToPublishedEndpoints() {
      limit(20);
      flood(OTHER, true);
      for (int i = 0; i < 5; i++) {
        fixture.publish("mote-" + i, "K", "</temp>");
      }
      fixture.directory.expire();
      assertThat(fixture.directory.size()).isEqualTo(20);
      assertThat(fixture.lookUp("/rd-lookup/ep")).contains("mote-0", "mote-4");
    }

    @Test
    void aStartWithLessMemoryLeavesStrangersOutAndServesTheRest() {
      limit(1_000);
      for (int i = 0; i < 200; i++) {
        at("2001:db8:%x::1".formatted(0x600 + i % 50));
        fixture.register("ep=s" + i, "</a>");
      }
      by(new Caller.PreSharedKey("tool"), OTHER);
      fixture.register("ep=tool", "</a>");
      fixture.publish("mote", "K", "</temp>");
      limit(50);
      assertThat(fixture.directory.size()).isEqualTo(50);
      assertThat(fixture.directory.isDegraded()).isTrue();
      assertThat(fixture.lookUp("/rd-lookup/ep")).contains("ep=tool", "ep=mote");
      fixture.directory.expire();
      assertThat(fixture.directory.isDegraded()).isFalse();
      assertThat(fixture.directory.evicted()).isEqualTo(152);
      limit(1_000);
      assertThat(fixture.directory.size()).as("they left the store too").isEqualTo(50);
    }

    @Test
    void whatAStartLeftOutLeavesTheStoreUnlessItIsRegisteredAgain() {
      limit(1_000);
      for (int i = 0; i < 10; i++) {
        at("2001:db8:%x::1".formatted(0x600 + i));
        fixture.register("ep=s" + i, "</a>");
      }
      limit(5);
      String known = fixture.lookUp("/rd-lookup/ep");
      List<String> leftOut =
          IntStream.range(0, 10)
              .mapToObj(i -> "s" + i)
              .filter(ep -> !known.contains("ep=" + ep + ";"))
              .toList();
      assertThat(leftOut).hasSize(5);
      leftOut.forEach(this::alsoInTheMirror);
      fixture.publish(leftOut.getFirst(), "K", "</temp>");

      fixture.store.full(true);
      fixture.directory.expire();
      assertThat(fixture.directory.isDegraded()).as("the store cannot write").isTrue();
      fixture.store.full(false);
      fixture.directory.expire();

      assertThat(fixture.directory.isDegraded()).isFalse();
      limit(1_000);
      assertThat(fixture.directory.size()).isEqualTo(5);
      assertThat(fixture.lookUp("/rd-lookup/ep"))
          .contains("ep=" + leftOut.getFirst() + ";")
          .doesNotContain(leftOut.subList(1, 5));
    }
  }
}
