package dev.vigil.gateway.northbound.email;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** An SMTP server (RFC 5321) that refuses some messages. */
final class MailServer implements AutoCloseable {
  /** The messages that it took, with headers. */
  final List<String> taken = new CopyOnWriteArrayList<>();

  /** The answer to senders. */
  volatile String sender = "250 ok";

  /** The number of messages that it takes before it is full. */
  volatile int room = Integer.MAX_VALUE;

  private final ServerSocket socket;
  private final String unwanted;

  /**
   * @param unwanted a word of messages that it refuses
   */
  MailServer(String unwanted) throws IOException {
    this.unwanted = unwanted;
    socket = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return socket.getLocalPort();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try (Socket client = socket.accept();
          BufferedReader in =
              new BufferedReader(
                  new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
          OutputStream out = client.getOutputStream()) {
        converse(in, out);
      } catch (IOException e) {
        // The client has left, or the test has ended.
      }
    }
  }

  private void converse(BufferedReader in, OutputStream out) throws IOException {
    answer(out, "220 mail.example");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String verb = line.substring(0, Math.min(4, line.length())).toUpperCase(Locale.ROOT);
      switch (verb) {
        case "MAIL" -> answer(out, sender);
        case "DATA" -> {
          answer(out, "354 go ahead");
          answer(out, take(in));
        }
        case "QUIT" -> {
          answer(out, "221 bye");
          return;
        }
        default -> answer(out, "250 ok");
      }
    }
  }

  private String take(BufferedReader in) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = in.readLine(); line != null && !line.equals("."); line = in.readLine()) {
      lines.add(line);
    }
    String message = String.join("\n", lines);
    if (message.contains(unwanted)) {
      return "554 5.7.1 not here";
    }
    if (taken.size() >= room) {
      return "452 4.3.1 full";
    }
    taken.add(message);
    return "250 taken";
  }

  private static void answer(OutputStream out, String line) throws IOException {
    out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
