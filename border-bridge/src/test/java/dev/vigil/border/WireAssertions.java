package dev.vigil.border;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Asserts that octets are refused for a reason. */
public final class WireAssertions {
  private WireAssertions() {}

  public static void refuses(Drop reason, ThrowingCallable call) {
    assertThatExceptionOfType(WireException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
