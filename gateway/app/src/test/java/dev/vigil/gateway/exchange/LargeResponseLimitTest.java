package dev.vigil.gateway.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LargeResponseLimitTest {
  private static final int LARGE = 3 << 20;
  private final LargeResponseLimit answers = new LargeResponseLimit(2L * LARGE);

  @Test
  void largeResponsesAreBoundedAndSmallOnesAreNot() throws IOException {
    List<Integer> written = new ArrayList<>();
    answers.write(
        LARGE,
        () ->
            answers.write(
                LARGE,
                () -> {
                  answers.write(1_000, () -> written.add(1_000));
                  assertThatThrownBy(() -> answers.write(LARGE, () -> written.add(LARGE)))
                      .isInstanceOfSatisfying(
                          ErrorResponseException.class,
                          e -> {
                            assertThat(e.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
                            assertThat(e.response().maxAge()).isPositive();
                          });
                }));
    answers.write(LARGE, () -> written.add(LARGE));
    assertThat(written).containsExactly(1_000, LARGE);
  }

  @Test
  void aDisconnectedReaderReleasesItsShare() throws IOException {
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(
              () ->
                  answers.write(
                      LARGE,
                      () -> {
                        throw new IOException("gone");
                      }))
          .isInstanceOf(IOException.class);
    }
    answers.write(2 * LARGE, () -> {});
  }

  @Test
  void aSingleResponseMayExceedTheCapacity() throws IOException {
    List<Integer> written = new ArrayList<>();
    answers.write(10 * LARGE, () -> written.add(10 * LARGE));
    assertThat(written).hasSize(1);
  }
}
