package dev.vigil.border.bridge;

import dev.vigil.border.slip.Slip;
import dev.vigil.border.slip.SlipDecoder;
import dev.vigil.border.slip.SlipRadioMessage;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A slip-radio behind TCP. It answers commands like the recorded radio, and plays given frames. */
final class ScriptedRadio implements AutoCloseable {
  private static final byte[] BOOT_LOG =
      "[INFO: Main] Starting Contiki-NG\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

  final LinkedBlockingQueue<byte[]> sent = new LinkedBlockingQueue<>();
  final LinkedBlockingQueue<byte[]> commands = new LinkedBlockingQueue<>();
  final AtomicInteger connections = new AtomicInteger();

  /** The status reported for each frame; a negative value means no report. */
  volatile int status;

  private final ServerSocket server;
  private final byte[] address;
  private final Thread thread;
  private volatile @Nullable Socket socket;

  ScriptedRadio(byte[] address) throws IOException {
    this.address = address;
    this.server = new ServerSocket(0, 4, InetAddress.getByName("127.0.0.1"));
    this.thread = Thread.ofPlatform().daemon().start(this::serve);
  }

  int port() {
    return server.getLocalPort();
  }

  /** The radio sends a SLIP frame. */
  void play(byte[] frame) throws IOException {
    Socket line = socket;
    if (line == null) {
      throw new IOException("nobody is connected");
    }
    synchronized (this) {
      OutputStream out = line.getOutputStream();
      out.write(Slip.encode(frame));
      out.flush();
    }
  }

  /** The cable is pulled. */
  void pull() throws IOException {
    Socket line = socket;
    if (line != null) {
      line.close();
    }
  }

  /** The next frame that the bridge sent into the air. */
  byte[] nextSent() throws InterruptedException {
    byte[] psdu = sent.poll(30, TimeUnit.SECONDS);
    if (psdu == null) {
      throw new AssertionError("the bridge sent nothing within 30 seconds");
    }
    return psdu;
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket line = server.accept()) {
        socket = line;
        connections.incrementAndGet();
        line.getOutputStream().write(BOOT_LOG);
        SlipDecoder decoder = new SlipDecoder(2_048);
        byte[] buffer = new byte[4_096];
        int length = line.getInputStream().read(buffer);
        while (length >= 0) {
          for (byte[] frame : decoder.feed(buffer, length)) {
            answer(frame);
          }
          length = line.getInputStream().read(buffer);
        }
      } catch (IOException e) {
        // The cable was pulled, or the socket was closed.
      } catch (WireException e) {
        throw new AssertionError("the bridge sent a frame that no radio understands", e);
      }
    }
  }

  private void answer(byte[] frame) throws IOException, WireException {
    if (frame[0] == '?' && frame[1] == 'M') {
      byte[] reply = new byte[10];
      reply[0] = '!';
      reply[1] = 'M';
      System.arraycopy(address, 0, reply, 2, 8);
      play(reply);
    } else if (frame[0] == '!' && frame[1] == 'V') {
      commands.add(frame);
    } else {
      sent.add(SlipRadioMessage.sentPsdu(frame));
      if (status >= 0) {
        play(new byte[] {'!', 'R', frame[2], (byte) status, 1});
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    pull();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
