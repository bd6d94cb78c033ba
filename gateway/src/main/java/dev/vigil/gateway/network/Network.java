package dev.vigil.gateway.network;

import dev.vigil.border.Bridge;
import dev.vigil.border.BridgeConfig;
import dev.vigil.border.FileMemory;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.gateway.config.VigilProperties;
import dev.vigil.gateway.launch.Listening;
import dev.vigil.gateway.store.SqliteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** The border bridge while the gateway runs; none when the settings name no radio. */
@Component
@Order(Listening.RADIO)
public class Network implements SmartLifecycle, DisposableBean, Listening {
  /** Before the CoAP front, which is reached through it. */
  private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 8192;

  private static final String MEMORY = "bridge.counters";
  private static final int PREFIX_OCTETS = 8;

  private final @Nullable BridgeConfig config;
  private final @Nullable Bridge bridge;
  private final @Nullable FileMemory memory;
  private volatile boolean running;

  Network(VigilProperties properties, SqliteStore store, Clock clock, SecureRandom random) {
    if (properties.border().radios().isEmpty()) {
      config = null;
      bridge = null;
      memory = null;
      return;
    }
    config = BridgeSettings.of(properties.border());
    try {
      memory = new FileMemory(store.folder().resolve(MEMORY));
      bridge = new Bridge(config, memory, clock, System::nanoTime, random);
    } catch (IOException e) {
      throw new UncheckedIOException(
          new IOException(
              "cannot open the radio: " + e.getMessage() + RadioHints.wayOut(e, config), e));
    }
  }

  public Optional<Bridge> bridge() {
    return Optional.ofNullable(bridge);
  }

  static ExchangeException noRadio() {
    return new ExchangeException(Code.NOT_FOUND, "this gateway has no radio");
  }

  Optional<BridgeConfig> config() {
    return Optional.ofNullable(config);
  }

  /** Where motes reach the gateway over the radio: its link-local address. */
  public Optional<String> meshUri() {
    return config().map(c -> "coap://[%s]:%d".formatted(RadioHints.linkLocal(c), Bridge.COAP_PORT));
  }

  /**
   * Whether an address is one of the mesh: of its prefix, or link-local and not of any interface of
   * this machine, which only the radio's packets are.
   */
  public boolean isOfMesh(InetAddress address) {
    BridgeConfig told = config;
    if (told == null || !(address instanceof Inet6Address six)) {
      return false;
    }
    boolean ofRadio = six.isLinkLocalAddress() && six.getScopeId() == 0;
    return ofRadio
        || Arrays.equals(
            six.getAddress(), 0, PREFIX_OCTETS, told.prefix().octets(), 0, PREFIX_OCTETS);
  }

  @Override
  public List<String> addresses() {
    Bridge open = bridge;
    if (open == null || open.etherPort().isEmpty()) {
      return List.of();
    }
    return List.of("zep://127.0.0.1:" + open.etherPort().getAsInt());
  }

  @Override
  public void start() {
    running = true;
    if (bridge != null) {
      try {
        bridge.start();
      } catch (IOException e) {
        throw new UncheckedIOException(
            new IOException("cannot start the radio: " + e.getMessage(), e));
      }
    }
  }

  @Override
  public void stop() {
    running = false;
    if (bridge != null) {
      bridge.close();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  /** After the last thread that may write to the memory has ended. */
  @Override
  public void destroy() {
    stop();
    if (memory != null) {
      memory.close();
    }
  }
}
