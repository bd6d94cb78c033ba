package dev.vigil.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

class ProblemsTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(Problems.class);
  private final ListAppender<ILoggingEvent> told = new ListAppender<>();
  private final MockMvc api =
      MockMvcBuilders.standaloneSetup(new Failing()).setControllerAdvice(new Problems()).build();

  /** What goes wrong behind an API. */
  @RestController
  static class Failing {
    @GetMapping("/gone")
    void gone() throws IOException {
      throw new IOException("Broken pipe");
    }

    @GetMapping("/broken")
    void broken() {
      throw new IllegalStateException("an inside");
    }
  }

  @BeforeEach
  void listen() {
    told.start();
    logger.addAppender(told);
  }

  @AfterEach
  void end() {
    logger.detachAppender(told);
  }

  private MockHttpServletResponse get(String path) throws Exception {
    return api.perform(MockMvcRequestBuilders.get(path)).andReturn().getResponse();
  }

  @Test
  void whoHangsUpFillsNoLog() throws Exception {
    get("/gone");
    assertThat(told.list).noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
  }

  @Test
  void ourOwnFaultsAreInTheLogAndNotInTheAnswer() throws Exception {
    MockHttpServletResponse answer = get("/broken");
    assertThat(answer.getStatus()).isEqualTo(500);
    assertThat(answer.getContentAsString()).doesNotContain("inside");
    assertThat(told.list).anyMatch(event -> event.getLevel() == Level.ERROR);
  }
}
