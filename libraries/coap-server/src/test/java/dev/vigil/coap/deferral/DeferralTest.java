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

  @Test
  void runsStepsBeforeAPauseWithoutMakingTheWorkerGoOn() {
    Deferral.begin();
    Deferral.beforePause(() -> ran.add("sent"));
    assertThat(Deferral.isPending()).isFalse();
    assertThat(ran).isEmpty();
    Deferral.pause();
    assertThat(ran).containsExactly("sent");
    Deferral.end();
    assertThat(ran).containsExactly("sent");
  }

  @Test
  void runsStepsBeforeAPauseAfterTheDeferredOnesAtTheEnd() {
    Deferral.begin();
    Deferral.defer(() -> Deferral.beforePause(() -> ran.add("sent")));
    Deferral.defer(() -> ran.add("verified"));
    Deferral.end();
    assertThat(ran).containsExactly("verified", "sent");
  }

  @Test
  void runsAStepBeforeAPauseAtOnceOnAThreadThatIsNotAWorker() {
    Deferral.beforePause(() -> ran.add("sent"));
    assertThat(ran).containsExactly("sent");
  }
}
