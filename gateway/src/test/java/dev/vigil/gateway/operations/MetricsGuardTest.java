package dev.vigil.gateway.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class MetricsGuardTest {
  private static int status(String token, String from, String authorization) throws Exception {
    MockHttpServletRequest request = new MockHttpServletRequest("GET", "/actuator/prometheus");
    request.setRemoteAddr(from);
    if (!authorization.isEmpty()) {
      request.addHeader("Authorization", authorization);
    }
    MockHttpServletResponse response = new MockHttpServletResponse();
    AtomicBoolean passed = new AtomicBoolean();
    new MetricsGuard(token).doFilter(request, response, (req, res) -> passed.set(true));
    assertThat(passed.get()).isEqualTo(response.getStatus() == 200);
    return response.getStatus();
  }

  @Test
  void thisMachineNeedsNoToken() throws Exception {
    assertThat(status("", "127.0.0.1", "")).isEqualTo(200);
    assertThat(status("s3cret", "0:0:0:0:0:0:0:1", "")).isEqualTo(200);
  }

  @Test
  void othersNeedTheToken() throws Exception {
    assertThat(status("s3cret", "192.0.2.7", "Bearer s3cret")).isEqualTo(200);
    assertThat(status("s3cret", "192.0.2.7", "Bearer s3creT")).isEqualTo(401);
    assertThat(status("s3cret", "2001:db8::7", "")).isEqualTo(401);
  }

  @Test
  void withoutATokenNobodyElseGetsIn() throws Exception {
    assertThat(status("", "192.0.2.7", "Bearer ")).isEqualTo(401);
    assertThat(status("", "192.0.2.7", "")).isEqualTo(401);
  }
}
