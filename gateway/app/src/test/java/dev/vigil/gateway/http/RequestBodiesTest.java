package dev.vigil.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.InProcessGateway;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies of any size from unauthenticated clients, to any path. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestBodiesTest {
  private static final int TIMEOUT_MILLIS = 20_000;
  private static final String FORM = "application/x-www-form-urlencoded";

  @TempDir static Path folder = Path.of("");

  private InProcessGateway gateway;

  @BeforeAll
  void start() {
    gateway = new InProcessGateway(folder);
  }

  @AfterAll
  void stop() {
    gateway.close();
  }

  @ParameterizedTest
  @CsvSource({
    "POST,/api/endpoints/x/resources/y/commands,application/jose,413",
    "PUT,/api/endpoints/x/resources/y/z/commands,application/jose,413",
    "PUT,/ms/x/y,application/jose,413",
    "POST,/api/keys?d=-,text/csv,401",
    "PUT,/api/keys?d=-," + FORM + ",405",
    "DELETE,/api/keys/x?d=-," + FORM + ",401",
    "POST,/api/keys/x/revoke,multipart/form-data;boundary=b,401",
  })
  void aTooLargeAnnouncedBodyIsRefusedUnread(String method, String path, String type, int status)
      throws IOException {
    try (Socket socket = connect()) {
      String head =
          "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: 9000000000\r\n\r\n";
      send(socket, head.formatted(method, path, type));
      assertThat(statusLine(socket)).startsWith("HTTP/1.1 " + status);
    }
  }

  private Socket connect() throws IOException {
    URI address = URI.create(gateway.address("http"));
    Socket socket = new Socket(address.getHost(), address.getPort());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String statusLine(Socket socket) throws IOException {
    return Objects.requireNonNullElse(
        new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
            .readLine(),
        "");
  }
}
