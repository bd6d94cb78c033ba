package dev.vigil.gateway.http;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Requests octet for octet, as no well-behaved HTTP client would send them. */
public final class RawHttp {
  private static final int TIMEOUT_MILLIS = 30_000;

  private RawHttp() {}

  /**
   * @param status 0 when the server answered nothing
   * @param head the status line and the fields
   */
  public record Answer(int status, String head, String body) {
    /** The value of a field, empty without it. */
    public String field(String name) {
      return head.lines()
          .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
          .map(line -> line.substring(name.length() + 1).strip())
          .findFirst()
          .orElse("");
    }
  }

  public static Socket connect(String address) throws IOException {
    URI uri = URI.create(address);
    Socket socket = new Socket(uri.getHost(), uri.getPort());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  public static void send(Socket socket, String octets) throws IOException {
    socket.getOutputStream().write(octets.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** A PUT of JSON with a token, whose body has arrived except for its last octet. */
  public static Socket beginPut(String address, String path, String token, String body)
      throws IOException {
    Socket socket = connect(address);
    String head =
        "PUT %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer %s\r\n"
            + "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s";
    int most = body.length() - 1;
    send(socket, head.formatted(path, token, body.length(), body.substring(0, most)));
    return socket;
  }

  /** The answer to {@link #beginPut} after the last octet. */
  public static Answer endPut(Socket slow, String body) throws IOException {
    send(slow, body.substring(body.length() - 1));
    return read(slow);
  }

  /** Sends a request that makes the server close the connection, and reads until it does. */
  public static Answer exchange(String address, String request) throws IOException {
    try (Socket socket = connect(address)) {
      send(socket, request);
      return read(socket);
    }
  }

  public static Answer get(String address, String path, String... fields) throws IOException {
    return exchange(
        address, "GET " + path + " HTTP/1.1\r\nConnection: close\r\n" + lines(fields) + "\r\n");
  }

  private static String lines(String... fields) {
    StringBuilder text = new StringBuilder();
    for (String field : fields) {
      text.append(field).append("\r\n");
    }
    return text.toString();
  }

  /** The answer of a server that closes the connection after it. */
  public static Answer read(Socket socket) throws IOException {
    String text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    return text.startsWith("HTTP/1.1 ") && end > 0
        ? new Answer(
            Integer.parseInt(text.substring(9, 12)),
            text.substring(0, end),
            text.substring(end + 4))
        : new Answer(0, "", text);
  }
}
