package dev.vigil.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class RequestRightsTest {
  private final MockHttpServletRequest request = new MockHttpServletRequest("POST", "/api/session");

  @Test
  void aRequestWhoseRightsEndWhileItsBodyArrivesIsRefused() throws IOException {
    AtomicBoolean valid = new AtomicBoolean(true);
    request.setContent(new byte[] {1});
    HttpCallers.setIdentity(
        request, new Caller.Account("ann", Set.of("administrator")), valid::get);
    assertThat(RequestBodies.read(request, 1)).hasSize(1);
    valid.set(false);
    assertThatThrownBy(() -> RequestBodies.read(request, 1))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.type()).isEqualTo(ProblemType.INVALID_CREDENTIALS))
        .hasMessageContaining("the credentials expired");
  }

  @Test
  void theCookieOfAnEndedSessionIdentifiesNobody() throws IOException {
    HttpCallers.setIdentity(request, new Caller.Anonymous(), () -> false);
    assertThat(RequestBodies.read(request, 1)).isEmpty();
  }
}
