package dev.vigil.gateway.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class PasswordHasherTest {
  private final PasswordHasher hasher = new PasswordHasher();

  @Test
  void twoPasswordsAreCheckedAtATimeAndAFewWait() throws Exception {
    PasswordHasher hasher = CheapHasher.create();
    CountDownLatch running = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    Runnable hold =
        () -> {
          running.countDown();
          try {
            release.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          throw new IllegalStateException("not hashed");
        };
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> attempts = new ArrayList<>();
      for (int i = 0; i < 18; i++) {
        attempts.add(threads.submit(() -> hasher.matches("x", null, hold)));
      }
      running.await();
      while (hasher.waiting() < 16) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(() -> hasher.matches("x", null, hold))
          .hasMessageContaining("too many passwords");
      release.countDown();
      for (Future<Boolean> attempt : attempts) {
        assertThatThrownBy(attempt::get).hasMessageContaining("not hashed");
      }
    }
  }

  /** The second choice of the OWASP Password Storage Cheat Sheet. */
  @Test
  void aChosenPasswordIsHashedWithArgon2idAtTheFullCost() {
    String hash = hasher.hash("a long password");
    assertThat(hash).startsWith("{argon2}$argon2id$v=19$m=19456,t=2,p=1$");
    assertThat(hasher.matches("a long password", hash, () -> {})).isTrue();
    assertThat(hasher.isOutdated(hash)).isFalse();
    assertThat(hasher.isOutdated(CheapHasher.create().hash("a long password"))).isTrue();
  }

  @Test
  void aRandomPasswordMatchesOnlyItself() {
    String hash = PasswordHasher.ofRandom("abcde-fghjk");
    assertThat(hasher.matches("abcde-fghjk", hash, () -> {})).isTrue();
    assertThat(hasher.matches("abcde-fghjx", hash, () -> {})).isFalse();
    assertThat(hasher.matches("", null, () -> {})).isFalse();
  }
}
