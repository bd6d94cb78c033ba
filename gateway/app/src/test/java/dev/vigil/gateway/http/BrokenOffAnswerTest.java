package dev.vigil.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.problems.ProblemDetails;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers in chunks: a client sees whether it has the whole answer (RFC 9112 section 8). */
class BrokenOffAnswerTest {
  private static final int PART = 20_000;

  private final Tomcat tomcat = new Tomcat();

  private static final class TwoParts extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getOutputStream().write(new byte[PART]);
      response.flushBuffer();
      if (request.getParameter("broken") != null) {
        assertThat(request.getAttribute(ProblemDetails.CLOSE_NOW))
            .isInstanceOfSatisfying(Runnable.class, Runnable::run);
      }
      response.getOutputStream().write(new byte[PART]);
    }
  }

  private String start(Path folder) throws Exception {
    GatewayProtocol protocol = new GatewayProtocol();
    protocol.protect(
        System::nanoTime,
        () -> {
          throw new AssertionError("the reserve is not needed");
        });
    Connector connector = new Connector(protocol);
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setBaseDir(folder.toString());
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", folder.toString());
    Tomcat.addServlet(context, "parts", new TwoParts());
    context.addServletMappingDecoded("/", "parts");
    tomcat.start();
    return "http://127.0.0.1:" + connector.getLocalPort() + "/";
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }

  @Test
  void aBrokenOffAnswerIsIncomplete(@TempDir Path folder) throws Exception {
    String address = start(folder);
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest whole = HttpRequest.newBuilder(URI.create(address)).build();
      assertThat(client.send(whole, BodyHandlers.ofByteArray()).body()).hasSize(2 * PART);
      HttpRequest broken = HttpRequest.newBuilder(URI.create(address + "?broken=1")).build();
      assertThatThrownBy(() -> client.send(broken, BodyHandlers.ofByteArray()))
          .isInstanceOf(IOException.class);
    }
  }
}
