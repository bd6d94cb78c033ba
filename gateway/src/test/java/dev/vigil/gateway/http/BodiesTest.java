package dev.vigil.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.InProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Strangers send bodies of any size to anything, and wait for nobody's leave. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit calls start() before any test
class BodiesTest {
  private static final int PATIENCE_MILLIS = 20_000;
  private static final String FORM = "application/x-www-form-urlencoded";

  @TempDir static Path folder = Path.of("");

  private InProcess gateway;

  @BeforeAll
  void start() {
    gateway = new InProcess(folder);
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
  void whatIsAnnouncedAsMoreThanABodyIsAnsweredAndNotReadFirst(
      String method, String path, String type, int status) throws IOException {
    URI address = URI.create(gateway.address("http"));
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      String head =
          "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: 9000000000\r\n\r\n";
      socket
          .getOutputStream()
          .write(head.formatted(method, path, type).getBytes(StandardCharsets.US_ASCII));
      String answer =
          new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
              .readLine();
      assertThat(answer).startsWith("HTTP/1.1 " + status);
    }
  }
}
