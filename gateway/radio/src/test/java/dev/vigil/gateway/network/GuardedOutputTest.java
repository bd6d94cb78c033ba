package dev.vigil.gateway.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class GuardedOutputTest {
  @Test
  void nothingIsWrittenOnceTheRightHasEnded() throws IOException {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    AtomicBoolean allowed = new AtomicBoolean(true);
    try (OutputStream out = new GuardedOutput(written, allowed::get)) {
      out.write(new byte[] {1, 2});
      allowed.set(false);
      assertThatThrownBy(() -> out.write(new byte[] {3})).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> out.write(4)).isInstanceOf(IOException.class);
    }
    assertThat(written.toByteArray()).containsExactly(1, 2);
  }
}
