package dev.vigil.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.store.ClusterContact;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class StaleHeaderTest {
  private static MockHttpServletResponse answer(Duration silence) throws Exception {
    ClusterContact contact = new ClusterContact(silence, 0, 3, 3, Duration.ZERO);
    MockHttpServletResponse response = new MockHttpServletResponse();
    new StaleHeader(contact::silentSeconds)
        .doFilter(new MockHttpServletRequest("GET", "/ms/1/temp"), response, new MockFilterChain());
    return response;
  }

  @Test
  void anAnswerWithoutContactHasTheSecondsOfSilence() throws Exception {
    assertThat(answer(Duration.ofNanos(1)).getHeader("Vigil-Stale")).isEqualTo("1");
    assertThat(answer(Duration.ofMillis(41_001)).getHeader("Vigil-Stale")).isEqualTo("42");
  }

  @Test
  void anAnswerWithContactHasNone() throws Exception {
    assertThat(answer(Duration.ZERO).getHeaderNames()).isEmpty();
  }
}
