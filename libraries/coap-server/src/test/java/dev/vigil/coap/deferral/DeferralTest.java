package dev.vigil.coap.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeferralTest {
  private final List<String> ran = new ArrayList<>();

  @Test
  void runsAStepAtOnceOnAThreadThatIsNotAWorker() {
    Deferral.defer(() -> ran.add("step"));
    assertThat(ran).containsExactly("step");
    assertThat(Deferral.isPending()).isFalse();
  }

  @Test
  void runsStepsInOrderWithTheStepsThatTheyDefer() {
    Deferral.begin();
    Deferral.defer(() -> Deferral.defer(() -> ran.add("third")));
    Deferral.defer(() -> ran.add("second"));
    assertThat(Deferral.isPending()).isTrue();
    ran.add("first");
    Deferral.end();
    assertThat(ran).containsExactly("first", "second", "third");
    assertThat(Deferral.isPending()).isFalse();
  }

  @Test
  void runsTheOtherStepsAfterAFailedOne() {
    Deferral.begin();
    Deferral.defer(
        () -> {
          throw new IllegalStateException("expected by the test");
        });
    Deferral.defer(() -> ran.add("next"));
    Deferral.end();
    assertThat(ran).containsExactly("next");
  }
}
