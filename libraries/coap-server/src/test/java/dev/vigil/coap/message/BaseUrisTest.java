package dev.vigil.coap.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BaseUrisTest {
  @ParameterizedTest
  @CsvSource({
    "coap://10.0.0.1, 10.0.0.1, true",
    "coap://10.0.0.1:61616, 10.0.0.1, true",
    "coap://10.0.0.12, 10.0.0.1, false",
    "coap://10.0.0.12:5, 10.0.0.1, false",
    "coap://10.0.0.1, 10.0.0.12, false",
    "coap://110.0.0.1, 10.0.0.1, false",
    "coap://[2001:db8::1], 2001:db8::1, true",
    "coaps://[2001:db8::1]:61616, 2001:db8::1, true",
    "coap://[2001:db8::1], 2001:db8:0:0:0:0:0:1, true",
    "coap://[2001:db8::12], 2001:db8::1, false",
    "coap://[2001:db8::1]:5, 2001:db8::, false",
    "coap://[::1], 127.0.0.1, false",
    "coap://node.example, 10.0.0.1, false"
  })
  void comparesWholeHosts(String base, String address, boolean equal) {
    assertThat(BaseUris.hasHost(base, InetAddress.ofLiteral(address))).isEqualTo(equal);
  }

  @Test
  void writesTheAddressOfTheSocketWithoutTheDefaultPort() {
    BaseUris baseUris = new BaseUris();
    InetAddress local = InetAddress.ofLiteral("2001:db8::1");
    InetAddress source = InetAddress.ofLiteral("2001:db8::2");

    assertThat(baseUris.ofSocket("coap", new InetSocketAddress(local, 5683), source))
        .isEqualTo("coap://[2001:db8::1]");
    assertThat(baseUris.ofSocket("coaps", new InetSocketAddress(local, 5683), source))
        .isEqualTo("coaps://[2001:db8::1]:5683");
  }

  @Test
  void replacesTheWildcardAddressByTheOneOfTheRouteToTheSource() {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");

    assertThat(new BaseUris().ofSocket("coap", new InetSocketAddress("0.0.0.0", 7), loopback))
        .isEqualTo("coap://127.0.0.1:7");
  }
}
