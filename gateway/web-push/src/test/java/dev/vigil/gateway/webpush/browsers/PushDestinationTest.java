package dev.vigil.gateway.webpush.browsers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.gateway.accounts.Site;
import dev.vigil.gateway.northbound.AlarmNotice;
import dev.vigil.gateway.northbound.AlarmNotices;
import dev.vigil.gateway.northbound.AlarmSeverity;
import dev.vigil.gateway.northbound.Language;
import dev.vigil.gateway.webpush.BrowserKeys;
import dev.vigil.gateway.webpush.PushService;
import dev.vigil.gateway.webpush.VapidKey;
import dev.vigil.store.Change;
import dev.vigil.store.EndpointName;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Alarms of domains a and b, which only the accounts of these names may see. */
class PushDestinationTest {
  /** The browser of RFC 8291, appendix A. */
  private static final String P256DH =
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";

  private static final String AUTH = "BTBZMqHH6r4Tts7J_aSIgg";

  private final PushSite site = new PushSite();
  private final Services services = new Services();
  private final PushDestination destination =
      new PushDestination(
          site.browsers,
          services,
          new NoticesOfDomains(),
          AlarmSeverity.WARNING,
          PushDestinationTest::decide,
          site.clock);
  private final List<Long> delivered = new ArrayList<>();

  /** Accounts with a browser each. */
  private static final class PushSite extends Site {
    final VapidKey key = VapidKey.of(purpose -> new byte[32]);
    final Browsers browsers = new Browsers(records, accounts, sessions, key);

    void subscribe(String name) {
      account(name, "viewer");
      addBrowser(name);
    }

    void addBrowser(String name) {
      browsers.put(
          new BrowserRecord(
              name,
              accounts.require(name).value().createdAt(),
              "session",
              "https://push.example/" + name,
              P256DH,
              AUTH,
              key.publicKey(),
              Language.EN,
              "test",
              clock.instant()),
          BY_TEST);
    }
  }

  /** The service of a does not work, until a test lets it. */
  private static final class Services implements PushService {
    boolean works;
    final List<String> taken = new ArrayList<>();

    @Override
    public Answer send(
        URI address, BrowserKeys browser, byte[] message, String topic, boolean urgent)
        throws IOException {
      if (address.getPath().equals("/a") && !works) {
        throw new IOException("the server answered 503");
      }
      taken.add(address.getPath());
      return new Answer(Outcome.SENT, 201);
    }

    @Override
    public void close() {}
  }

  /** The endpoint of a change names the domain of its alarm. */
  private static final class NoticesOfDomains implements AlarmNotices {
    @Override
    public boolean concerns(Change change) {
      return true;
    }

    @Override
    public List<AlarmNotice> of(Change change) {
      String d = change.endpoint().d();
      return List.of(
          new AlarmNotice(
              "of-" + d, d, null, "critical", "active", "", "", null, 1, change.at(), "{}"));
    }

    @Override
    public @Nullable String link(@Nullable String endpoint) {
      return null;
    }
  }

  private static Access.Decision decide(Caller caller, Access.Action action, String d) {
    return caller.identity() instanceof Caller.Account account && account.name().equals(d)
        ? new Access.Allowed()
        : new Access.Refused(Code.FORBIDDEN, "another domain");
  }

  private static Change alarm(long position, String d, Instant at) {
    return new Change(position, "1", new EndpointName("alarms", d), at, 0, position, List.of());
  }

  private void deliver(Change... changes) throws IOException, InterruptedException {
    destination.deliver(List.of(changes), change -> delivered.add(change.position()));
  }

  @Test
  void anAlarmThatNoServiceTakesHoldsUpOthersForFiveMinutesAlone() throws Exception {
    site.subscribe("a");
    site.subscribe("b");
    Change first = alarm(1, "a", site.clock.instant());
    Change second = alarm(2, "b", site.clock.instant());
    assertThatThrownBy(() -> deliver(first, second)).hasMessageContaining("503");
    site.clock.pass(Duration.ofMinutes(5).minusSeconds(1));
    assertThatThrownBy(() -> deliver(first, second)).hasMessageContaining("503");
    assertThat(delivered).isEmpty();
    site.clock.pass(Duration.ofSeconds(1));
    deliver(first, second);
    assertThat(delivered).containsExactly(1L, 2L);
    assertThat(services.taken).containsExactly("/b");
    assertThat(destination.refused()).isEqualTo(1);
  }

  @Test
  void aClockSetBackDoesNotProlongTheWait() throws Exception {
    site.subscribe("a");
    Change change = alarm(1, "a", site.clock.instant());
    site.clock.pass(Duration.ofHours(-1));
    assertThatThrownBy(() -> deliver(change)).hasMessageContaining("503");
    assertThat(delivered).containsExactly(1L);
  }

  private void giveUp() {
    site.subscribe("a");
    Change old = alarm(1, "a", site.clock.instant().minus(Duration.ofMinutes(5)));
    assertThatThrownBy(() -> deliver(old)).hasMessageContaining("503");
    assertThat(delivered).containsExactly(1L);
  }

  @Test
  void afterGivingUpDeliveriesFailUntilAServiceAnswers() throws Exception {
    giveUp();
    Change unseen = alarm(2, "nobody", site.clock.instant());
    assertThatThrownBy(() -> deliver(unseen)).hasMessageContaining("503");
    assertThat(delivered).containsExactly(1L, 2L);
    site.subscribe("b");
    deliver(alarm(3, "b", site.clock.instant()));
    assertThat(delivered).containsExactly(1L, 2L, 3L);
    deliver(alarm(4, "nobody", site.clock.instant()));
  }

  @Test
  void theLastAlarmGivenUpIsTriedEveryMinute() throws Exception {
    giveUp();
    assertThat(destination.connect()).as("too early").isFalse();
    site.clock.pass(Duration.ofMinutes(1));
    assertThat(destination.connect()).as("no answer").isFalse();
    services.works = true;
    assertThat(destination.connect()).as("too early").isFalse();
    site.clock.pass(Duration.ofMinutes(1));
    assertThat(destination.connect()).isTrue();
    assertThat(services.taken).containsExactly("/a");
    assertThat(destination.connect()).as("nothing is left").isFalse();
    deliver(alarm(2, "nobody", site.clock.instant()));
  }

  @Test
  void aFormerAccountOfTheNameHasNoBrowserAtAnyTime() {
    site.account("boss", "administrator");
    site.subscribe("b");
    site.remove("b");
    site.clock.pass(Duration.ofHours(-1));
    site.account("b", "viewer");
    assertThat(site.browsers.of("b")).isEmpty();
  }

  @Test
  void anAccountMadeAheadOfTheClockHasBrowsers() {
    site.account("b", "viewer");
    site.clock.pass(Duration.ofHours(-1));
    site.addBrowser("b");
    assertThat(site.browsers.of("b")).hasSize(1);
  }

  @Test
  void theEndOfTheGatewayGivesNoAlarmUp() {
    site.subscribe("b");
    Change old = alarm(1, "b", site.clock.instant().minus(Duration.ofHours(1)));
    destination.close();
    assertThatThrownBy(() -> deliver(old)).hasMessageContaining("stopping");
    assertThat(delivered).isEmpty();
  }
}
