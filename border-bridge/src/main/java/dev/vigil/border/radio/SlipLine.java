package dev.vigil.border.radio;

import dev.vigil.border.slip.Slip;
import dev.vigil.border.slip.SlipDecoder;
import dev.vigil.border.slip.SlipSession;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A SLIP line that reopens itself. It drives a {@link SlipSession} over a serial port or TCP, and
 * reopens the port when the port fails or becomes silent.
 *
 * <p>Two threads: a reader, which also opens the port, and a writer. This object's lock guards the
 * session; it is held by both threads and by {@link #withSession}, but never during I/O.
 */
final class SlipLine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SlipLine.class);
  private static final int MAX_FRAME = 2_048;
  private static final long REOPEN_MILLIS = 1_000;
  private static final long MAX_REOPEN_MILLIS = 10_000;

  private final String name;
  private final OctetPort.Opener opener;
  private final SlipSession session;
  private final LongSupplier nanoTime;
  private final Thread reader;
  private final Thread writer;
  private @Nullable OctetPort port;
  private boolean closed;

  SlipLine(String name, OctetPort.Opener opener, SlipSession session, LongSupplier nanoTime) {
    this.name = name;
    this.opener = opener;
    this.session = session;
    this.nanoTime = nanoTime;
    this.reader = Thread.ofPlatform().daemon().name(name + "-read").unstarted(this::readLines);
    this.writer = Thread.ofPlatform().daemon().name(name + "-write").unstarted(this::writeFrames);
  }

  void start() {
    reader.start();
    writer.start();
  }

  /** Runs an action on the session under the lock, then wakes the writer. */
  synchronized boolean withSession(BooleanSupplier action) {
    boolean result = action.getAsBoolean();
    notifyAll();
    return result;
  }

  private long nowMillis() {
    return nanoTime.getAsLong() / 1_000_000;
  }

  private void readLines() {
    long pause = REOPEN_MILLIS;
    boolean warned = false;
    while (pauseUnlessClosed(0)) {
      try (OctetPort opened = opener.open()) {
        LOG.info("{}: open", name);
        pause = REOPEN_MILLIS;
        warned = false;
        if (attach(opened)) {
          readFrames(opened.in());
        }
      } catch (IOException e) {
        if (!warned && !isClosed()) {
          LOG.warn("{}: cannot use the line, retrying: {}", name, e.getMessage());
        }
        warned = true;
      } finally {
        detach();
      }
      if (!pauseUnlessClosed(pause)) {
        return;
      }
      pause = Math.min(2 * pause, MAX_REOPEN_MILLIS);
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private void readFrames(InputStream in) throws IOException {
    SlipDecoder decoder = new SlipDecoder(MAX_FRAME);
    byte[] buffer = new byte[1_024];
    int length = in.read(buffer);
    while (length >= 0) {
      for (byte[] frame : decoder.feed(buffer, length)) {
        withSession(
            () -> {
              session.received(frame, nowMillis());
              return true;
            });
      }
      length = in.read(buffer);
    }
  }

  /** Connects the session to an opened port; false if the line was closed meanwhile. */
  private synchronized boolean attach(OctetPort opened) {
    if (closed) {
      return false;
    }
    port = opened;
    session.connected(nowMillis());
    notifyAll();
    return true;
  }

  private synchronized void detach() {
    if (port != null) {
      port = null;
      session.disconnected();
    }
  }

  /** Waits; false if the line was closed meanwhile. */
  private synchronized boolean pauseUnlessClosed(long millis) {
    long end = nowMillis() + millis;
    try {
      for (long left = millis; left > 0 && !closed; left = end - nowMillis()) {
        wait(left);
      }
    } catch (InterruptedException e) {
      return false;
    }
    return !closed;
  }

  private void writeFrames() {
    try {
      while (true) {
        OctetPort to;
        byte[] frame;
        synchronized (this) {
          frame = awaitFrame();
          to = port;
        }
        if (to == null || frame == null) {
          return;
        }
        write(to, frame);
      }
    } catch (InterruptedException e) {
      LOG.debug("{}: interrupted", name);
    }
  }

  /** The next frame to write; null when the line is closed. Called under the lock. */
  private byte @Nullable [] awaitFrame() throws InterruptedException {
    while (!closed) {
      if (port == null) {
        wait();
        continue;
      }
      long now = nowMillis();
      if (session.isDead(now)) {
        LOG.warn("{}: the other side is silent, reopening the line", name);
        closeQuietly(port);
        wait(REOPEN_MILLIS);
        continue;
      }
      byte[] frame = session.next(now);
      if (frame != null) {
        return frame;
      }
      wait(Math.clamp(session.deadline() - now, 1, 1_000));
    }
    return null;
  }

  private void write(OctetPort to, byte[] frame) {
    try {
      OutputStream out = to.out();
      out.write(Slip.encode(frame));
      out.flush();
    } catch (IOException e) {
      LOG.debug("{}: {}", name, e.toString());
      // The reader fails too, and reopens the line.
      closeQuietly(to);
    }
  }

  private static void closeQuietly(OctetPort port) {
    try {
      port.close();
    } catch (IOException e) {
      LOG.trace("closing: {}", e.toString());
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      if (port != null) {
        closeQuietly(port);
      }
      notifyAll();
    }
    join(reader);
    join(writer);
  }

  private static void join(Thread thread) {
    try {
      thread.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
