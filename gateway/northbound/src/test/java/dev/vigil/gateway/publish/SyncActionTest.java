package dev.vigil.gateway.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Query;
import dev.vigil.store.EndpointName;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SyncActionTest {
  private static final long NOW = 1_000_000;
  private static final EndpointName NAME = new EndpointName("mote-1", "home");

  private static DesiredRegistration wanted(String links, long expires) {
    return new DesiredRegistration(
        List.of(new Query.Parameter("ep", "mote-1")), links.getBytes(UTF_8), expires);
  }

  private static PublishedRegistration published(
      DesiredRegistration wanted, long lifetime, long until) {
    return new PublishedRegistration(
        "coap://[::1]", NAME, List.of("rd", "7"), wanted.digest(), lifetime, until);
  }

  @Test
  void newChangedAndExpiredRegistrationsAreRegistered() {
    DesiredRegistration wanted = wanted("</a>", NOW + 600);
    SyncAction register = new SyncAction.Register(wanted, 600);
    assertThat(SyncAction.next(Optional.of(wanted), null, NOW)).isEqualTo(register);
    PublishedRegistration other = published(wanted("</b>", NOW + 600), 600, NOW + 600);
    assertThat(SyncAction.next(Optional.of(wanted), other, NOW)).isEqualTo(register);
    PublishedRegistration old = published(wanted, 600, NOW);
    assertThat(SyncAction.next(Optional.of(wanted), old, NOW)).isEqualTo(register);
  }

  @Test
  void aLongerRegistrationIsRenewedAtHalfItsLifetime() {
    DesiredRegistration wanted = wanted("</a>", NOW + 1000);
    PublishedRegistration shown = published(wanted, 600, NOW + 600);
    assertThat(SyncAction.next(Optional.of(wanted), shown, NOW))
        .isEqualTo(new SyncAction.Wait(NOW + 300));
    assertThat(SyncAction.next(Optional.of(wanted), shown, NOW + 300))
        .isEqualTo(new SyncAction.Renew(shown, 700));
  }

  @Test
  void anUnchangedRegistrationIsLeftToExpire() {
    DesiredRegistration wanted = wanted("</a>", NOW + 600);
    PublishedRegistration shown = published(wanted, 600, NOW + 600);
    assertThat(SyncAction.next(Optional.of(wanted), shown, NOW))
        .isEqualTo(new SyncAction.Wait(NOW + 601));
    assertThat(SyncAction.next(Optional.empty(), shown, NOW + 601))
        .isEqualTo(new SyncAction.Forget(shown));
  }

  @Test
  void aGoneEndpointIsRemovedAndAnUnknownOneIgnored() {
    PublishedRegistration shown = published(wanted("</a>", NOW + 600), 600, NOW + 600);
    assertThat(SyncAction.next(Optional.empty(), shown, NOW))
        .isEqualTo(new SyncAction.Remove(shown));
    assertThat(SyncAction.next(Optional.empty(), null, NOW)).isEqualTo(new SyncAction.Nothing());
  }

  @Test
  void storedRegistrationsAreReadBackWithAnyNames() {
    EndpointName odd = new EndpointName("\"é\\/ \u0001", "d/e");
    PublishedRegistration one =
        new PublishedRegistration(
            "coap://[::1]:9/x", odd, List.of("rd", "", "a b"), "digest", 60, NOW);
    assertThat(PublishedRegistration.read(one.toFact().body())).isEqualTo(one);
    assertThat(one.toNone().slot()).isEqualTo(one.toFact().slot());
    assertThat(new String(one.toFact().body(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"directory\":\"coap://[::1]:9/x\",\"ep\":\"\\\"é\\\\/ \\u0001\",\"d\":\"d/e\","
                + "\"location\":[\"rd\",\"\",\"a b\"],\"shown\":\"digest\",\"lt\":60,\"until\":"
                + NOW
                + "}");
  }

  @Test
  void theBackoffDoublesUpToFiveMinutesWithJitter() {
    Random random = new Random(9176);
    for (int failures = 1; failures < 40; failures++) {
      long plain = Math.min(300_000, 2000L << Math.min(20, failures - 1));
      for (int i = 0; i < 100; i++) {
        assertThat(Publisher.BACKOFF.after(failures, random))
            .isBetween(plain * 3 / 4, plain * 5 / 4);
      }
    }
  }
}
