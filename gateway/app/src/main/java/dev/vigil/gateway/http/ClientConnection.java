package dev.vigil.gateway.http;

import dev.vigil.coap.limits.FairPool;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A client's connection, and how long the gateway waits for the next part of a request. */
final class ClientConnection {
  /** The attribute of a request that holds its connection. */
  static final String ATTRIBUTE = ClientConnection.class.getName();

  /** A deadline that is never reached. */
  static final long NEVER = Long.MAX_VALUE;

  private final SocketChannel channel;

  /** Null for a connection of the reserve. */
  private volatile FairPool<ClientConnection>.@Nullable Place place;

  /** Whether a request is being answered. */
  private volatile boolean serving;

  /** Whether the reserve serves the connection's request. */
  private volatile boolean privileged;

  /** Monotonic nanoseconds at which the gateway stops waiting for the client. */
  private volatile long deadline;

  ClientConnection(SocketChannel channel, long deadline) {
    this.channel = channel;
    this.deadline = deadline;
  }

  /** Ends the wait for the body of a request. */
  void bodyRead() {
    deadline = NEVER;
  }

  void take(FairPool<ClientConnection>.Place taken) {
    this.place = taken;
  }

  boolean hasPlace() {
    return place != null;
  }

  /** Displaces the connection only after idle connections. */
  void touch() {
    FairPool<ClientConnection>.Place held = place;
    if (held != null) {
      held.touch();
    }
  }

  void release() {
    FairPool<ClientConnection>.Place held = place;
    if (held != null) {
      held.release();
    }
  }

  /**
   * @param until deadline for the body of the request
   */
  void serve(long until) {
    deadline = until;
    serving = true;
    touch();
  }

  /**
   * @param until deadline for the head of the next request
   */
  void awaitHead(long until) {
    serving = false;
    deadline = until;
  }

  void privilege() {
    privileged = true;
  }

  boolean isServing() {
    return serving;
  }

  boolean isPrivileged() {
    return privileged;
  }

  /** Whether the gateway has ended the connection. */
  boolean isShut() {
    return channel.socket().isInputShutdown();
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  boolean isLate(long now) {
    return deadline != NEVER && now - deadline > 0;
  }

  /**
   * Ends the connection. Tomcat's own threads then see its end and close it: they share buffers,
   * which another thread must not give back.
   */
  void shut() {
    try {
      channel.shutdownInput();
      channel.shutdownOutput();
    } catch (IOException e) {
      // The connection has ended already.
    }
  }
}
