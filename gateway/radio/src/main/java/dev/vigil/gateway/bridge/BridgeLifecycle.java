package dev.vigil.gateway.bridge;

import dev.vigil.border.bridge.Bridge;
import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.storage.CounterFile;
import dev.vigil.border.storage.DamagedCountersException;
import dev.vigil.gateway.listening.ListeningAddress;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.CompanionFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Starts and stops the border bridge. There is none when the settings name no radio. */
@Component
@Order(ListeningAddress.RADIO)
public class BridgeLifecycle implements SmartLifecycle, DisposableBean, ListeningAddress {
  /** Starts before the CoAP server, which uses the bridge's sockets. */
  public static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 8192;

  private static final int PREFIX_OCTETS = 8;

  private final @Nullable BridgeConfig config;
  private final @Nullable Bridge bridge;
  private final @Nullable CounterFile counters;
  private volatile boolean running;

  BridgeLifecycle(
      NetworkSettings settings,
      CompanionFiles companions,
      Clock clock,
      LongSupplier nanoTime,
      SecureRandom random) {
    if (settings.inForce().radios().isEmpty()) {
      config = null;
      bridge = null;
      counters = null;
      return;
    }
    BridgeConfig wanted = BridgeSettings.of(settings.inForce());
    CounterFile opened = counters(companions);
    counters = opened;
    bridge = open(settings, () -> new Bridge(wanted, opened, clock, nanoTime, random), wanted);
    config = bridge == null ? null : wanted;
  }

  /** Opens a bridge. */
  private interface Opening {
    Bridge open() throws IOException;
  }

  /**
   * Null if stored radios cannot be opened: an administrator can correct them while the gateway
   * runs.
   */
  private static @Nullable Bridge open(
      NetworkSettings settings, Opening opening, BridgeConfig wanted) {
    try {
      return opening.open();
    } catch (IOException e) {
      String why = "cannot open the radio: " + e.getMessage() + RadioHints.wayOut(e, wanted);
      if (settings.areRadiosStored()) {
        settings.refuseRadios(why);
        return null;
      }
      throw new UncheckedIOException(new IOException(why, e));
    }
  }

  private static CounterFile counters(CompanionFiles companions) {
    companions.require(Companion.COUNTERS);
    try {
      CounterFile counters = new CounterFile(companions.path(Companion.COUNTERS));
      companions.made(Companion.COUNTERS);
      return counters;
    } catch (DamagedCountersException e) {
      throw companions.unusable(Companion.COUNTERS, "is damaged in line " + e.line(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(
          new IOException("cannot open the radio's counters: " + e.getMessage(), e));
    }
  }

  public Optional<Bridge> bridge() {
    return Optional.ofNullable(bridge);
  }

  public static ProblemException noRadio() {
    return new ProblemException(ProblemType.NO_RADIO, "this gateway has no radio");
  }

  public Optional<BridgeConfig> config() {
    return Optional.ofNullable(config);
  }

  /** The address at which motes reach the gateway over the radio. */
  public Optional<String> meshUri() {
    return config().map(c -> "coap://[%s]:%d".formatted(RadioHints.address(c), Bridge.COAP_PORT));
  }

  /**
   * Whether an address belongs to the mesh: it has the mesh's prefix, or it is link-local without a
   * scope id. The kernel sets a scope id on link-local addresses of its interfaces.
   */
  public boolean isOfMesh(InetAddress address) {
    BridgeConfig current = config;
    if (current == null || !(address instanceof Inet6Address six)) {
      return false;
    }
    boolean radioLinkLocal = six.isLinkLocalAddress() && six.getScopeId() == 0;
    return radioLinkLocal
        || Arrays.equals(
            six.getAddress(), 0, PREFIX_OCTETS, current.mesh().prefix().octets(), 0, PREFIX_OCTETS);
  }

  /**
   * The radio neighbour through which an address was heard last, by its interface identifier; empty
   * for an address that no radio heard.
   */
  public OptionalLong neighbourOf(InetAddress address) {
    Bridge open = bridge;
    return open != null && address instanceof Inet6Address six
        ? open.neighbourOf(six)
        : OptionalLong.empty();
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

  /** Closes the counters after the last thread that may write to them has ended. */
  @Override
  public void destroy() {
    stop();
    if (counters != null) {
      counters.close();
    }
  }
}
