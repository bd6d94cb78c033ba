package dev.vigil.gateway.associations;

import dev.vigil.border.associations.AssociationFileReader;
import dev.vigil.border.associations.AssociationStatus;
import dev.vigil.border.associations.InstallReport;
import dev.vigil.border.bridge.Bridge;
import dev.vigil.border.ipsec.AssociationFile;
import dev.vigil.gateway.bridge.BorderProperties;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Loads the file of associations into the bridge: at the start, between the start of the bridge and
 * the start of the CoAP server, and later on request.
 */
@Component
public class AssociationLoader implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(AssociationLoader.class);
  private static final int SECONDS = 20;

  private final BorderProperties border;
  private final BridgeLifecycle network;
  private final Clock clock;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile boolean running;
  private volatile Loaded loaded = new Loaded(Instant.EPOCH, null);
  private @Nullable FileState read;

  /**
   * The outcome of the last attempt.
   *
   * @param at when the running associations were read
   * @param problem the reason why a later file is not used; null: none
   */
  public record Loaded(Instant at, @Nullable String problem) {}

  AssociationLoader(BorderProperties border, BridgeLifecycle network, Clock clock) {
    this.border = border;
    this.network = network;
    this.clock = clock;
  }

  /** The file; empty if the settings name none, or there is no radio. */
  public Optional<Path> file() {
    return border.ipsec().isEmpty()
        ? Optional.empty()
        : network.bridge().map(bridge -> Path.of(border.ipsec()).toAbsolutePath());
  }

  public Loaded loaded() {
    return loaded;
  }

  /** The running associations, in the order of the file. */
  public List<AssociationStatus> statuses() {
    return network.bridge().map(bridge -> bridge.associations().statuses()).orElse(List.of());
  }

  /** Adds a listener that is called after the associations were replaced. */
  public void addListener(Runnable listener) {
    listeners.add(listener);
  }

  /**
   * Reads the file and replaces all associations. Unchanged associations keep their state.
   *
   * @param neverUsed whether an operator says that associations without a record were never used
   * @throws IOException with one sentence; the running associations are then unchanged
   */
  synchronized InstallReport load(boolean neverUsed) throws IOException {
    Path file = file().orElseThrow(() -> new IOException("vigil.border.ipsec names no file"));
    read = FileState.of(file);
    try {
      AssociationFile entries =
          AssociationFileReader.read(file, AssociationFileReader.GATEWAY_ENTRIES);
      boolean discard = border.ipsecUnlisted() == BorderProperties.Unlisted.DISCARD;
      Bridge bridge = network.bridge().orElseThrow();
      InstallReport report = result(bridge.associations().install(entries, discard, neverUsed));
      loaded = new Loaded(clock.instant(), null);
      entries.warnings().forEach(warning -> log.warn("{}: {}", file, warning));
      report.stopped().forEach(sentence -> log.error("{}: {}", file, sentence));
      listeners.forEach(Runnable::run);
      return report;
    } catch (IOException e) {
      loaded = new Loaded(loaded.at(), e.getMessage());
      throw e;
    }
  }

  /** Whether the last attempt read the file in this state, with or without success. */
  synchronized boolean hasRead(FileState state) {
    return state.equals(read);
  }

  private static InstallReport result(CompletableFuture<InstallReport> installed)
      throws IOException {
    try {
      return installed.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("the bridge did not answer in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the gateway is stopping", e);
    }
  }

  @Override
  public void start() {
    running = true;
    if (file().isPresent()) {
      try {
        log.info("IPsec: {}", load(border.ipsecNew()));
      } catch (IOException e) {
        throw new UncheckedIOException(
            new IOException("cannot use vigil.border.ipsec: " + e.getMessage(), e));
      }
    }
  }

  @Override
  public void stop() {
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return BridgeLifecycle.PHASE + 1;
  }
}
