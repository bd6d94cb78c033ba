package dev.vigil.gateway.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.state.EndpointName;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StepTest {
  private static final long NOW = 1_000_000;
  private static final EndpointName NAME = new EndpointName("mote-1", "home");

  private static Wanted wanted(String links, long expires) {
    return new Wanted(List.of(new Query.Parameter("ep", "mote-1")), links.getBytes(UTF_8), expires);
  }

  private static Published published(Wanted wanted, long lifetime, long until) {
    return new Published(
        "coap://[::1]", NAME, List.of("rd", "7"), wanted.digest(), lifetime, until);
  }

  @Test
  void whatIsNewOrShownDifferentlyOrForgottenIsRegisteredForItsRemainingLifetime() {
    Wanted wanted = wanted("</a>", NOW + 600);
    Step register = new Step.Register(wanted, 600);
    assertThat(Step.next(Optional.of(wanted), null, NOW)).isEqualTo(register);
    Published other = published(wanted("</b>", NOW + 600), 600, NOW + 600);
    assertThat(Step.next(Optional.of(wanted), other, NOW)).isEqualTo(register);
    Published old = published(wanted, 600, NOW);
    assertThat(Step.next(Optional.of(wanted), old, NOW)).isEqualTo(register);
  }

  @Test
  void aProlongedEndpointIsRenewedAtHalfOfTheTimeThatTheOtherWasTold() {
    Wanted wanted = wanted("</a>", NOW + 1000);
    Published shown = published(wanted, 600, NOW + 600);
    assertThat(Step.next(Optional.of(wanted), shown, NOW)).isEqualTo(new Step.Wait(NOW + 300));
    assertThat(Step.next(Optional.of(wanted), shown, NOW + 300))
        .isEqualTo(new Step.Renew(shown, 700));
  }

  @Test
  void oneThatIsNotProlongedIsLeftToRunOut() {
    Wanted wanted = wanted("</a>", NOW + 600);
    Published shown = published(wanted, 600, NOW + 600);
    assertThat(Step.next(Optional.of(wanted), shown, NOW)).isEqualTo(new Step.Wait(NOW + 601));
    assertThat(Step.next(Optional.empty(), shown, NOW + 601)).isEqualTo(new Step.Forget(shown));
  }

  @Test
  void oneThatIsGoneIsRemovedAndWhatNeverWasThereIsNoWork() {
    Published shown = published(wanted("</a>", NOW + 600), 600, NOW + 600);
    assertThat(Step.next(Optional.empty(), shown, NOW)).isEqualTo(new Step.Remove(shown));
    assertThat(Step.next(Optional.empty(), null, NOW)).isEqualTo(new Step.Nothing());
  }

  @Test
  void whatIsStoredReadsBackTheSameWhateverTheNames() {
    EndpointName odd = new EndpointName("\"é\\/ \u0001", "d/e");
    Published one =
        new Published("coap://[::1]:9/x", odd, List.of("rd", "", "a b"), "digest", 60, NOW);
    assertThat(Published.read(one.toFact().body())).isEqualTo(one);
    assertThat(one.toNone().slot()).isEqualTo(one.toFact().slot());
  }

  @Test
  void waitingAfterFailuresDoublesUpToFiveMinutesAndIsSpread() {
    Random random = new Random(9176);
    for (int failures = 1; failures < 40; failures++) {
      long plain = Math.min(300_000, 2000L << Math.min(20, failures - 1));
      for (int i = 0; i < 100; i++) {
        assertThat(Backoff.after(failures, random)).isBetween(plain * 3 / 4, plain * 5 / 4);
      }
    }
  }
}
