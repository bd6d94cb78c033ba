package dev.vigil.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class MetricsAccessFilterTest {
  private static int status(String token, String from, String authorization) throws Exception {
    return status(token, from, authorization, new MockHttpServletRequest("GET", "/"));
  }

  private static int status(
      String token, String from, String authorization, MockHttpServletRequest request)
      throws Exception {
    request.setRemoteAddr(from);
    request.addHeader("Host", request.getServerName());
    if (!authorization.isEmpty()) {
      request.addHeader("Authorization", authorization);
    }
    MockHttpServletResponse response = new MockHttpServletResponse();
    AtomicBoolean passed = new AtomicBoolean();
    new MetricsAccessFilter(token).doFilter(request, response, (req, res) -> passed.set(true));
    assertThat(passed.get()).isEqualTo(response.getStatus() == 200);
    return response.getStatus();
  }

  @Test
  void loopbackNeedsNoToken() throws Exception {
    assertThat(status("", "127.0.0.1", "")).isEqualTo(200);
    assertThat(status("s3cret", "0:0:0:0:0:0:0:1", "")).isEqualTo(200);
  }

  @Test
  void otherMachinesNeedTheToken() throws Exception {
    assertThat(status("s3cret", "192.0.2.7", "Bearer s3cret")).isEqualTo(200);
    assertThat(status("s3cret", "192.0.2.7", "Bearer s3creT")).isEqualTo(401);
    assertThat(status("s3cret", "2001:db8::7", "")).isEqualTo(401);
  }

  @Test
  void aProxyOnLoopbackNeedsTheToken() throws Exception {
    for (String header :
        List.of("Forwarded", "x-forwarded-for", "X-Forwarded-Proto", "X-Real-IP", "Via")) {
      MockHttpServletRequest passedOn = new MockHttpServletRequest("GET", "/");
      passedOn.addHeader(header, "192.0.2.7");
      assertThat(status("", "127.0.0.1", "", passedOn)).as(header).isEqualTo(401);
    }
  }

  @Test
  void aForeignHostNameForLoopbackNeedsTheToken() throws Exception {
    for (String name : List.of("rebound.example", "192.0.2.7", "127.0.0.1.example")) {
      MockHttpServletRequest rebound = new MockHttpServletRequest("GET", "/");
      rebound.setServerName(name);
      assertThat(status("", "127.0.0.1", "", rebound)).as(name).isEqualTo(401);
    }
    for (String name : List.of("localhost", "LOCALHOST.", "127.0.0.1", "[::1]")) {
      MockHttpServletRequest own = new MockHttpServletRequest("GET", "/");
      own.setServerName(name);
      assertThat(status("", "127.0.0.1", "", own)).as(name).isEqualTo(200);
    }
  }

  @Test
  void withoutATokenOtherMachinesAreRefused() throws Exception {
    assertThat(status("", "192.0.2.7", "Bearer ")).isEqualTo(401);
    assertThat(status("", "192.0.2.7", "")).isEqualTo(401);
  }
}
