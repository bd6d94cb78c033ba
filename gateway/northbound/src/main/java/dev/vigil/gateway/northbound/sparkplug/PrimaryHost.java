package dev.vigil.gateway.northbound.sparkplug;

import dev.vigil.gateway.northbound.mqtt.MqttConnection;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The primary host; an edge node sends nothing while the host's STATE messages report it as offline
 * (Sparkplug 3.0 section 5.4). The client's thread reads the messages; the destination's thread
 * waits.
 */
final class PrimaryHost {
  private static final Logger log = LoggerFactory.getLogger(PrimaryHost.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final long WAIT_SECONDS = 5;

  private final String id;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock, like the following field. */
  private boolean online;

  private long newest;

  /**
   * @param id empty: no primary host and no waiting
   */
  PrimaryHost(String id) {
    this.id = id;
  }

  /** Subscribes to the state and waits until the host is online. */
  void await(MqttConnection connection) throws IOException, InterruptedException {
    if (id.isEmpty()) {
      return;
    }
    lock.lock();
    try {
      online = false;
      newest = 0;
    } finally {
      lock.unlock();
    }
    connection.subscribeToState(
        SparkplugTopics.hostState(id), (_, payload, _, _) -> receive(payload));
    if (!isOnlineWithin(WAIT_SECONDS)) {
      throw absent();
    }
  }

  /**
   * @throws IOException when the host has gone offline
   */
  void require() throws IOException, InterruptedException {
    if (!id.isEmpty() && !isOnlineWithin(0)) {
      throw absent();
    }
  }

  private IOException absent() {
    return new IOException("the primary host " + id + " is not online");
  }

  private boolean isOnlineWithin(long seconds) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(seconds);
      while (!online && left > 0) {
        left = changed.awaitNanos(left);
      }
      return online;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ignores a state older than the known one, because the will of a former session may arrive late.
   */
  private void receive(byte[] payload) {
    try {
      JsonNode state = JSON.readTree(payload);
      long timestamp = state.path("timestamp").asLong(0);
      lock.lock();
      try {
        if (timestamp >= newest) {
          newest = timestamp;
          online = state.path("online").asBoolean(false);
          changed.signalAll();
        }
      } finally {
        lock.unlock();
      }
    } catch (JacksonException e) {
      log.warn("ignored a state of the primary host {} that is not JSON", id);
    }
  }
}
