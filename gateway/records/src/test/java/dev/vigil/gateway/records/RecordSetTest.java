package dev.vigil.gateway.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.MemoryStore;
import dev.vigil.store.Store;
import dev.vigil.store.contract.StoreTesting;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordSetTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC);
  private static final OptionalLong ANY = OptionalLong.empty();
  private static final OptionalLong NEW = OptionalLong.of(0);
  private static final EndpointName NAME = new EndpointName(".records/user", "");

  private final MemoryStore store = new MemoryStore();
  private final RecordSet<User> users = users();

  record User(String name, @Secret @Nullable String hash, @Nullable Home home, int count) {
    static User named(String name) {
      return new User(name, "h4sh", new Home("Oslo", "p1n"), 1);
    }
  }

  record Home(String town, @Secret String pin) {}

  /** The records as seen by another gateway with the same store. */
  private RecordSet<User> users() {
    return new Records(store, CLOCK).of("user", User.class, 3);
  }

  private static Audit by(String who) {
    return new Audit(who, "changed", "plant");
  }

  private static long done(CompletableFuture<Outcome> outcome) {
    return outcome.join() instanceof Outcome.Done(long version) ? version : -1;
  }

  private List<String> audit() {
    return store.trail("audit", null, 0, 100).stream()
        .flatMap(change -> change.facts().stream())
        .map(StoreTesting::text)
        .toList();
  }

  @Test
  void aRecordIsReadBackWithItsVersion() {
    long version = done(users.put("a", User.named("Ada"), NEW, by("me")));
    Versioned<User> read = users.get("a").orElseThrow();
    assertThat(read).isEqualTo(new Versioned<>("a", version, CLOCK.instant(), User.named("Ada")));
    assertThat(users.get("b")).isEmpty();
    done(users.put("0", User.named("Bob"), NEW, by("me")));
    assertThat(users.all()).extracting(Versioned::id).containsExactly("0", "a");
    assertThat(users().all()).as("after a restart").isEqualTo(users.all());
  }

  @Test
  void aChangeOnAnotherVersionIsRefused() {
    long first = done(users.put("a", User.named("Ada"), NEW, by("me")));
    assertThat(users.put("a", User.named("Eve"), NEW, by("me")).join())
        .isEqualTo(new Outcome.Conflict(first));
    long second = done(users.put("a", User.named("Ann"), OptionalLong.of(first), by("me")));
    assertThat(users.remove("a", OptionalLong.of(first), by("me")).join())
        .isEqualTo(new Outcome.Conflict(second));
    assertThat(done(users.remove("a", OptionalLong.of(second), by("me")))).isPositive();
    assertThat(users.remove("a", ANY, by("me")).join()).isEqualTo(new Outcome.Conflict(0));
    long again = done(users.put("a", User.named("Ada"), NEW, by("me")));
    assertThat(again).as("no version comes twice").isGreaterThan(second);
    assertThat(audit()).as("refused changes leave no entry").hasSize(4);
  }

  @Test
  void theAuditTrailShowsBothStatesWithoutSecrets() {
    done(users.put("a", User.named("Ada"), NEW, by("account:op")));
    done(users.put("a", new User("Eva", "0ther", null, 2), ANY, by("account:op")));
    done(users.remove("a", ANY, by("account:op")));
    assertThat(audit())
        .hasSize(3)
        .allSatisfy(
            entry ->
                assertThat(entry)
                    .contains("\"by\":\"account:op\"", "\"kind\":\"user\"", "\"d\":\"plant\"")
                    .doesNotContain("h4sh", "0ther", "p1n", "hash", "pin"));
    assertThat(audit().get(0)).contains("\"after\"", "Ada", "Oslo").doesNotContain("\"before\"");
    assertThat(audit().get(1)).contains("\"before\"", "Ada", "\"after\"", "Eva");
    assertThat(audit().get(2)).contains("\"before\"", "Eva").doesNotContain("\"after\"");
    done(users.put("s", User.named("Ada"), NEW, Audit.UNRECORDED));
    assertThat(audit()).hasSize(3);
    assertThat(users.get("s").orElseThrow().value().hash()).isEqualTo("h4sh");
  }

  @Test
  void aFullKindTakesNoMoreUntilOneIsRemoved() {
    for (String id : List.of("a", "b", "c")) {
      done(users.put(id, User.named("Ada"), NEW, by("me")));
    }
    CompletableFuture<Outcome> fourth = users.put("d", User.named("Ada"), NEW, by("me"));
    assertThat(fourth.join()).isEqualTo(new Outcome.Full(3));
    assertThat(done(users.put("a", User.named("Eva"), ANY, by("me")))).isPositive();
    done(users.remove("a", ANY, by("me")));
    assertThat(done(users.put("d", User.named("Ada"), NEW, by("me")))).isPositive();
  }

  @Test
  void listenersSeePresentRecordsAndThenEachChange() {
    done(users.put("a", User.named("Ada"), NEW, by("me")));
    List<String> seen = new ArrayList<>();
    try (Store.Subscription following =
        users.onChange(
            change -> seen.add(change.id() + name(change.before()) + name(change.after())))) {
      assertThat(following).isNotNull();
      done(users.put("a", User.named("Eva"), ANY, by("me")));
      done(users.remove("a", ANY, by("me")));
    }
    done(users.put("b", User.named("Bob"), NEW, by("me")));
    assertThat(seen).containsExactly("a none Ada", "a Ada Eva", "a Eva none");
  }

  private static String name(@Nullable Versioned<User> record) {
    return " " + (record == null ? "none" : record.value().name());
  }

  @Test
  void waitingChangesShareABatchAndChangesOfOneRecordDoNot() {
    store.hold();
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
    for (String id : List.of("a", "b", "c", "b")) {
      outcomes.add(users.put(id, User.named(id), ANY, Audit.UNRECORDED));
    }
    store.release();
    assertThat(outcomes).extracting(RecordSetTest::done).doesNotContain(-1L);
    List<Integer> facts = StoreTesting.feed(store, 0).stream().map(c -> c.facts().size()).toList();
    assertThat(facts).as("the first, the next two, the last").containsExactly(1, 1, 1);
    assertThat(done(outcomes.get(1))).isEqualTo(done(outcomes.get(2)));
    assertThat(store.endpoint(NAME).orElseThrow().version()).isEqualTo(3);
  }

  @Test
  void longChangesShareABatchThatAClusterAccepts() {
    RecordSet<User> many = new Records(store, CLOCK).of("account", User.class, 200);
    store.hold();
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      outcomes.add(many.put("id-" + i, User.named("x".repeat(8000)), NEW, by("me")));
    }
    store.release();
    assertThat(outcomes).extracting(RecordSetTest::done).doesNotContain(-1L);
    List<Integer> octets =
        StoreTesting.feed(store, 0).stream()
            .map(change -> change.facts().stream().mapToInt(fact -> fact.body().length).sum())
            .toList();
    assertThat(octets)
        .as("records and their audit entries")
        .hasSizeLessThan(10)
        .allSatisfy(batch -> assertThat(batch).isLessThanOrEqualTo(256 << 10));
  }

  @Test
  void theSlowerOfTwoGatewaysDecidesAgain() {
    RecordSet<User> others = users();
    store.hold();
    CompletableFuture<Outcome> first = users.put("a", User.named("Ada"), NEW, by("one"));
    CompletableFuture<Outcome> second = others.put("a", User.named("Eva"), NEW, by("two"));
    CompletableFuture<Outcome> third = others.put("b", User.named("Bob"), NEW, by("two"));
    store.release();
    assertThat(second.join()).isEqualTo(new Outcome.Conflict(done(first)));
    assertThat(done(third)).isPositive();
    assertThat(users.all()).isEqualTo(others.all()).hasSize(2);
  }

  @Test
  void aChangeThatArrivesBeforeTheAnswerToASlowerOneDoesNotStopIt() {
    RecordSet<User> others = users();
    AtomicBoolean isFirst = new AtomicBoolean(true);
    InvocationHandler slow =
        (proxy, method, arguments) -> {
          boolean isSlow = method.getName().equals("submit") && isFirst.getAndSet(false);
          if (isSlow) {
            done(others.put("a", User.named("Ada"), NEW, by("other")));
          }
          Object answer = method.invoke(store, arguments);
          if (isSlow) {
            done(others.put("b", User.named("Bob"), NEW, by("other")));
          }
          return answer;
        };
    Store late =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, slow);
    CompletableFuture<Outcome> third =
        new Records(late, CLOCK)
            .of("user", User.class, 3)
            .put("c", User.named("Eva"), NEW, by("me"));
    assertThat(third).isCompletedWithValueMatching(outcome -> outcome instanceof Outcome.Done);
  }

  @Test
  void aFullDiskChangesNothingAndLaterWritesSucceed() {
    store.full(true);
    assertThat(users.put("a", User.named("Ada"), NEW, by("me")).join())
        .isEqualTo(new Outcome.NotStored());
    assertThat(users.all()).isEmpty();
    store.full(false);
    assertThat(done(users.put("a", User.named("Ada"), NEW, by("me")))).isPositive();
  }

  @Test
  void anUnreadableRecordIsSkippedAndMembersOfOtherVersionsAreRead() {
    StoreTesting.committed(
        store,
        StoreTesting.plain(
            NAME,
            StoreTesting.fact("record/bad", 1, "[1]"),
            StoreTesting.fact("record/old", 1, "{\"name\":\"Old\",\"later\":true}")));
    assertThat(users.all())
        .singleElement()
        .satisfies(one -> assertThat(one.value()).isEqualTo(new User("Old", null, null, 0)));
  }

  @Test
  void invalidArgumentsAreRejectedImmediately() {
    Records records = new Records(store, CLOCK);
    assertThatThrownBy(() -> records.of("User/..", User.class))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> users.put("", User.named("Ada"), ANY, by("me")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> users.put("a", User.named("x".repeat(70_000)), ANY, by("me")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("octets");
    records.of("user", User.class);
    assertThatThrownBy(() -> records.of("user", Home.class))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anOutcomeBecomesAProblemWithARemedy() {
    assertThat(new Outcome.Done(7).require("user")).isEqualTo(7);
    assertThatThrownBy(() -> new Outcome.Conflict(0).require("user"))
        .isInstanceOf(ErrorResponseException.class)
        .hasMessageContaining("no such user");
    assertThatThrownBy(() -> new Outcome.Conflict(5).require("user"))
        .hasMessageContaining("read it again");
    assertThatThrownBy(() -> new Outcome.Full(3).require("user")).hasMessageContaining("remove");
    assertThatThrownBy(() -> new Outcome.NotStored().require("user")).hasMessageContaining("store");
  }

  @Test
  void aRecordsFactsAreStoredUnderTheReservedName() {
    done(users.put("a", User.named("Ada"), NEW, by("me")));
    Change change = StoreTesting.feed(store, 0).getLast();
    assertThat(change.endpoint()).isEqualTo(NAME);
    assertThat(change.endpoint().isReserved()).isTrue();
    assertThat(change.facts()).extracting(Fact::slot).containsExactly("record/a", "audit");
  }
}
