package dev.vigil.gateway.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.net.NioEndpoint;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Admits connections as the {@link ConnectionTable} decides, and lets it end late connections. */
final class GatewayEndpoint extends NioEndpoint {
  private static final Logger log = LoggerFactory.getLogger(GatewayEndpoint.class);

  private @Nullable ConnectionTable connectionTable;
  private @Nullable ScheduledExecutorService deadlines;

  /** Before the start. */
  void setConnectionTable(ConnectionTable table) {
    this.connectionTable = table;
  }

  @Override
  public void startInternal() throws Exception {
    super.startInternal();
    ConnectionTable table = connectionTable;
    if (table != null) {
      deadlines =
          Executors.newSingleThreadScheduledExecutor(
              Thread.ofPlatform().daemon().name("http-deadlines").factory());
      deadlines.scheduleWithFixedDelay(() -> expire(table), 1, 1, TimeUnit.SECONDS);
    }
  }

  /** An exception would end the schedule. */
  private static void expire(ConnectionTable table) {
    try {
      table.expire();
    } catch (RuntimeException e) {
      log.error("ending late HTTP connections failed; trying again in a second", e);
    }
  }

  @Override
  public void stopInternal() {
    if (deadlines != null) {
      deadlines.shutdownNow();
    }
    super.stopInternal();
  }

  @Override
  protected boolean setSocketOptions(SocketChannel socket) {
    if (isAdmitted(socket)) {
      return super.setSocketOptions(socket);
    }
    destroySocket(socket);
    // Otherwise the acceptor would look for the connection, to close it again.
    return true;
  }

  private boolean isAdmitted(SocketChannel socket) {
    ConnectionTable table = connectionTable;
    try {
      return table == null
          || socket.getRemoteAddress() instanceof InetSocketAddress client
              && table.admit(socket, client);
    } catch (IOException e) {
      return false; // The client has disconnected.
    }
  }
}
