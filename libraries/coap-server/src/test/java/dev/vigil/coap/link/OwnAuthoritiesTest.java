package dev.vigil.coap.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnAuthoritiesTest {
  private static final Set<InetAddress> ADDRESSES =
      Set.of(
          InetAddress.ofLiteral("2001:db8::1"),
          InetAddress.ofLiteral("fe80::1"),
          InetAddress.ofLiteral("192.0.2.1"),
          InetAddress.ofLiteral("127.0.0.1"));

  private final OwnAuthorities own =
      new OwnAuthorities(
          ADDRESSES::contains, Set.of("gateway.example"), () -> Set.of(5683, 5684, 8080));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "coap://[2001:db8::1]/ms/1/t",
        "coap://[2001:db8::1]:5683",
        "coap://[2001:DB8:0:0:0:0:0:1]:05683/",
        "COAP://[2001:db8:0::0:1]/x",
        "coaps://[2001:db8::1]",
        "coap+tcp://[2001:db8::1]",
        "http://[2001:db8::1]:8080/ms/1/t",
        "coap://[fe80::1%25eth0]/x",
        "coap://[fe80::1%eth0]/x",
        "coap://192.0.2.1/x",
        "coap://192.0.2.1:/x",
        "coap://[::ffff:192.0.2.1]/x",
        "coap://[::ffff:c000:201]/x",
        "coap://3221225985/x",
        "coap://0xc0.0.513/x",
        "coap://127.1/x",
        "coap://%31%39%32.0.2.1/x",
        "coap://user@192.0.2.1/x",
        "coap://evil@user:pw@192.0.2.1/x",
        "coap:\\\\192.0.2.1/x",
        "coap://GateWay.Example/x",
        "coap://gateway.example./x",
        "coap://gatewa%79.example?q",
        "coap://\uff47ateway.example#f",
        "other://gateway.example/x",
      })
  void everySpellingOfAnOwnAuthorityIsOwn(String uri) {
    assertThat(own.seenAs("").contains(uri)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "coap://[2001:db8::2]/ms/1/t",
        "coap://[2001:db8::1]:61616/x",
        "http://[2001:db8::1]/x",
        "coap://gateway.example.net/x",
        "coap://192.0.2.1@evil.example/x",
        "coap://evil.example/coap://192.0.2.1/",
        "urn:dev:gateway.example",
        "/ms/1/t",
        "",
        "coap://[2001:db8::1",
        "coap://%zz/",
      })
  void otherAuthoritiesAreNotOwn(String uri) {
    assertThat(own.seenAs("").contains(uri)).isFalse();
  }

  @Test
  void theAuthorityOfTheRequestIsOwnForThatClient() {
    String behindProxy = "https://sensors.example";
    assertThat(own.seenAs(behindProxy).contains("https://sensors.example/ms/1/t")).isTrue();
    assertThat(own.seenAs(behindProxy).contains("coap://Sensors.Example:5683/ms/1/t")).isTrue();
    assertThat(own.seenAs(behindProxy).contains("coap://sensors.example:7000/ms/1/t")).isFalse();
    assertThat(own.seenAs("coap://[2001:db8::1]").contains("https://sensors.example/ms/1/t"))
        .isFalse();
    assertThat(OwnAuthorities.UNKNOWN.seenAs("coap://h").contains("coap://h/x")).isTrue();
  }
}
