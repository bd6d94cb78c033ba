package dev.vigil.border.radio;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class OctetPortTest {
  @Test
  void anAbsentSerialPortFailsWithItsName() {
    OctetPort.Opener opener = OctetPort.serial("/dev/no-such-port", 115_200);
    assertThatThrownBy(opener::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/dev/no-such-port");
  }
}
