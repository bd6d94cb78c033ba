package dev.vigil.coap.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UriHostsTest {
  @ParameterizedTest
  @CsvSource({
    "fe80:0:0:0:56:4947:494c:1, fe80::56:4947:494c:1",
    "0:0:0:0:0:0:0:1, ::1",
    "2001:db8:0:1:0:0:0:1, 2001:db8:0:1::1",
    "192.0.2.1, 192.0.2.1"
  })
  void addressesAreInTheFormOfRfc5952(String given, String written) {
    InetAddress address = InetAddress.ofLiteral(given);
    assertThat(UriHosts.text(address)).isEqualTo(written);
    assertThat(UriHosts.literal(address))
        .isEqualTo(written.indexOf(':') < 0 ? written : "[" + written + "]");
  }
}
