package dev.vigil.gateway.callers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class HttpCallersTest {
  private static Caller caller(String address, String host, String... header) {
    MockHttpServletRequest request = new MockHttpServletRequest("GET", "/rd-lookup/res");
    request.setRemoteAddr(address);
    request.setServerName(host);
    request.addHeader("Host", host);
    if (header.length > 0) {
      request.addHeader(header[0], header[1]);
    }
    return HttpCallers.of(request);
  }

  @Test
  void aProgramOnThisMachineIsTrusted() {
    assertThat(caller("127.0.0.1", "localhost").trusted()).isTrue();
    assertThat(caller("192.0.2.7", "localhost").trusted()).isFalse();
  }

  @Test
  void clientsBehindAProxyOnThisMachineAreNotTrusted() {
    assertThat(caller("127.0.0.1", "localhost", "X-Forwarded-For", "192.0.2.7").trusted())
        .isFalse();
    assertThat(caller("127.0.0.1", "gateway.example").trusted()).isFalse();
  }
}
