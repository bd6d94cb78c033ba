package dev.vigil.coap.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
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
    BaseUris baseUris = new BaseUris(System::nanoTime);
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

    BaseUris baseUris = new BaseUris(System::nanoTime);
    assertThat(baseUris.ofSocket("coap", new InetSocketAddress("0.0.0.0", 7), loopback))
        .isEqualTo("coap://127.0.0.1:7");
  }

  @Test
  void followsTheHostToItsNewAddress() {
    AtomicLong now = new AtomicLong();
    AtomicReference<InetAddress> address =
        new AtomicReference<>(InetAddress.ofLiteral("192.0.2.1"));
    BaseUris baseUris = new BaseUris(now::get, peer -> address.get());
    InetAddress source = InetAddress.ofLiteral("192.0.2.9");
    InetSocketAddress wildcard = new InetSocketAddress("0.0.0.0", 5683);

    assertThat(baseUris.ofSocket("coap", wildcard, source)).isEqualTo("coap://192.0.2.1");
    address.set(InetAddress.ofLiteral("192.0.2.2"));
    now.set(TimeUnit.SECONDS.toNanos(30));
    assertThat(baseUris.ofSocket("coap", wildcard, source)).isEqualTo("coap://192.0.2.2");
  }
}
