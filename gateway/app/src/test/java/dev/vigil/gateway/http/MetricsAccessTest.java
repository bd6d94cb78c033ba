package dev.vigil.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

class MetricsAccessTest {
  private static boolean admits(String token, String from, String authorization) {
    return admits(token, from, authorization, new MockHttpServletRequest("GET", "/"));
  }

  private static boolean admits(
      String token, String from, String authorization, MockHttpServletRequest request) {
    request.setRemoteAddr(from);
    request.addHeader("Host", request.getServerName());
    if (!authorization.isEmpty()) {
      request.addHeader("Authorization", authorization);
    }
    return new MetricsAccess(token)
        .authorize(() -> null, new RequestAuthorizationContext(request))
        .isGranted();
  }

  @Test
  void loopbackNeedsNoToken() {
    assertThat(admits("", "127.0.0.1", "")).isTrue();
    assertThat(admits("s3cret", "0:0:0:0:0:0:0:1", "")).isTrue();
  }

  @Test
  void otherMachinesNeedTheToken() {
    assertThat(admits("s3cret", "192.0.2.7", "Bearer s3cret")).isTrue();
    assertThat(admits("s3cret", "192.0.2.7", "Bearer s3creT")).isFalse();
    assertThat(admits("s3cret", "2001:db8::7", "")).isFalse();
  }

  @Test
  void aProxyOnLoopbackNeedsTheToken() {
    for (String header :
        List.of("Forwarded", "x-forwarded-for", "X-Forwarded-Proto", "X-Real-IP", "Via")) {
      MockHttpServletRequest passedOn = new MockHttpServletRequest("GET", "/");
      passedOn.addHeader(header, "192.0.2.7");
      assertThat(admits("", "127.0.0.1", "", passedOn)).as(header).isFalse();
    }
  }

  @Test
  void aForeignHostNameForLoopbackNeedsTheToken() {
    for (String name : List.of("rebound.example", "192.0.2.7", "127.0.0.1.example")) {
      MockHttpServletRequest rebound = new MockHttpServletRequest("GET", "/");
      rebound.setServerName(name);
      assertThat(admits("", "127.0.0.1", "", rebound)).as(name).isFalse();
    }
    for (String name : List.of("localhost", "LOCALHOST.", "127.0.0.1", "[::1]")) {
      MockHttpServletRequest own = new MockHttpServletRequest("GET", "/");
      own.setServerName(name);
      assertThat(admits("", "127.0.0.1", "", own)).as(name).isTrue();
    }
  }

  @Test
  void withoutATokenOtherMachinesAreRefused() {
    assertThat(admits("", "192.0.2.7", "Bearer ")).isFalse();
    assertThat(admits("", "192.0.2.7", "")).isFalse();
  }
}
