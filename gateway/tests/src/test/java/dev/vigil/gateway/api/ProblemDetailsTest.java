package dev.vigil.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.SourceTree;
import dev.vigil.gateway.problems.ProblemDetails;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.refusal.StaleValueException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

class ProblemDetailsTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(ProblemDetails.class);
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
  private final MockMvc api =
      MockMvcBuilders.standaloneSetup(new Failing())
          .setControllerAdvice(new ProblemDetails())
          .build();

  /** A controller that fails. */
  @RestController
  static class Failing {
    @GetMapping("/gone")
    void gone() throws IOException {
      throw new IOException("Broken pipe");
    }

    @GetMapping("/number")
    int number(@RequestParam("n") int n) {
      return n;
    }

    /** Fails after a part of the answer was sent. */
    @GetMapping("/begun")
    void begun(@RequestParam("how") String how, HttpServletResponse response) throws IOException {
      response.getWriter().write("first line\n");
      response.flushBuffer();
      switch (how) {
        case "refused" -> throw new ErrorResponseException(Code.SERVICE_UNAVAILABLE, "busy");
        case "disconnected" -> throw new IOException("Broken pipe");
        default -> throw new IllegalStateException("an internal detail");
      }
    }

    @GetMapping("/broken")
    void broken() {
      throw new IllegalStateException("an internal detail");
    }
  }

  @BeforeEach
  void listen() {
    logged.start();
    logger.addAppender(logged);
  }

  @AfterEach
  void end() {
    logger.detachAppender(logged);
  }

  private MockHttpServletResponse get(String path) throws Exception {
    return api.perform(MockMvcRequestBuilders.get(path)).andReturn().getResponse();
  }

  @Test
  void aDisconnectedClientIsNotLogged() throws Exception {
    get("/gone");
    assertThat(logged.list).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"refused", "disconnected", "internal"})
  void anAnswerThatHasBegunIsBrokenOff(String how) throws Exception {
    AtomicInteger closed = new AtomicInteger();
    Runnable close = closed::incrementAndGet;
    String answer =
        api.perform(
                MockMvcRequestBuilders.get("/begun")
                    .param("how", how)
                    .requestAttr(ProblemDetails.CLOSE_NOW, close))
            .andReturn()
            .getResponse()
            .getContentAsString();
    assertThat(answer).isEqualTo("first line\n");
    assertThat(closed).hasValue(1);
  }

  @Test
  void everyKindOfProblemIsListedWithItsStatus() {
    String listed = SourceTree.text("docs/guide/rest-problems.md");
    for (ProblemType type : ProblemType.values()) {
      assertThat(listed)
          .as(type.uri())
          .containsPattern(
              "(?m)^\\|.*`" + type.uri() + "`.*\\| " + type.code().httpStatus() + " \\|");
    }
  }

  @Test
  void everyRefusalHasTheKindOfItsStatus() {
    for (Code code : Code.values()) {
      if (!code.isSuccess()) {
        ProblemType type = ProblemType.of(new ErrorResponseException(code, ""));
        assertThat(type.code().httpStatus()).as(code.dotted()).isEqualTo(code.httpStatus());
      }
    }
    for (Reason reason : Reason.values()) {
      ProblemType type = ProblemType.of(new RequestRefused(reason, ""));
      assertThat(type.code()).as(reason.label()).isEqualTo(reason.code());
    }
    assertThat(ProblemType.of(new StaleValueException(60))).isEqualTo(ProblemType.STALE_VALUE);
    assertThat(ProblemType.ofStatus(401)).isEqualTo(ProblemType.UNAUTHORIZED);
    assertThat(ProblemType.ofStatus(409)).isEqualTo(ProblemType.CONFLICT);
    assertThat(ProblemType.ofStatus(421)).isEqualTo(ProblemType.INVALID_REQUEST);
    assertThat(ProblemType.ofStatus(507)).isEqualTo(ProblemType.INTERNAL_ERROR);
  }

  @Test
  void errorsThatSpringFindsHaveAKindToo() throws Exception {
    assertThat(get("/number").getContentAsString()).contains("/problems/invalid-parameter");
    assertThat(get("/number?n=x").getContentAsString()).contains("/problems/invalid-parameter");
    String answer =
        api.perform(MockMvcRequestBuilders.post("/number"))
            .andReturn()
            .getResponse()
            .getContentAsString();
    assertThat(answer).contains("/problems/method-not-allowed");
  }

  @Test
  void internalErrorsAreLoggedAndNotShownToTheClient() throws Exception {
    MockHttpServletResponse response = get("/broken");
    assertThat(response.getStatus()).isEqualTo(500);
    assertThat(response.getContentAsString()).doesNotContain("internal detail");
    assertThat(logged.list).anyMatch(event -> event.getLevel() == Level.ERROR);
  }
}
