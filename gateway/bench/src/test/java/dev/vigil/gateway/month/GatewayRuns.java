package dev.vigil.gateway.month;

import dev.vigil.gateway.cli.recovery.RecoveryOfMonth;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The gateway's runs on its data folder, and what becomes of that folder in between. */
final class GatewayRuns implements AutoCloseable {
  private final Path root;
  private final long seed;
  private final VirtualTime time;
  private final boolean raising;
  private final boolean forgetful;
  private final Opening opening;
  private @Nullable SimulatedGateway running;
  private int runs;
  private Path data;
  private boolean full;

  /**
   * A backup.
   *
   * @param at when it was made, microseconds
   */
  record Backup(Path file, long at) {}

  /** Opens a gateway. */
  interface Opening {
    /**
     * @param first whether the data folder is new
     */
    SimulatedGateway open(Path data, SecureRandom random, boolean first) throws IOException;
  }

  /**
   * @param root of data folders and backups
   * @param defect a deliberate one
   */
  GatewayRuns(Path root, long seed, VirtualTime time, Defect defect, Opening opening) {
    this.root = root;
    this.seed = seed;
    this.time = time;
    this.raising = defect != Defect.RESTORES_NUMBERS;
    this.forgetful = defect == Defect.FORGETS_COUNTERS;
    this.opening = opening;
    this.data = root.resolve("data-0");
  }

  Optional<SimulatedGateway> running() {
    return Optional.ofNullable(running);
  }

  Path data() {
    return data;
  }

  /** Opens the gateway unless it runs. */
  void start() throws IOException {
    if (running == null) {
      boolean first = runs == 0;
      if (forgetful) {
        DefectiveStore.forgetCounters(root, data, runs);
      }
      running = opening.open(data, new SeededRandom(seed * 1000 + runs++), first);
    }
  }

  void stop() {
    if (running != null) {
      running.close();
      running = null;
    }
  }

  /** Ends the gateway as kill -9 does: what it had not written is lost. */
  void crash() throws IOException {
    if (running != null) {
      Path left = root.resolve("data-crashed-" + runs);
      DataFolder.copy(data, left);
      stop();
      DataFolder.delete(data);
      data = left;
    }
  }

  /** Whether the disk has room for a backup. */
  boolean hasRoom() {
    return !full;
  }

  /** Leaves so many octets to the data folder of a running gateway. */
  void fillDisk(int octets) throws IOException, InterruptedException {
    if (running != null) {
      full = true;
      FullDisk.fill(data, octets);
    }
  }

  void makeRoom() throws IOException, InterruptedException {
    if (full) {
      FullDisk.makeRoom();
      full = false;
    }
  }

  Backup backUp() throws IOException {
    Backup backup = new Backup(root.resolve("backup-" + time.micros()), time.micros());
    if (raising) {
      RecoveryOfMonth.backUp(data, backup.file, time.gatewayClock(), new SeededRandom(seed));
    } else {
      DataFolder.copy(data, backup.file);
    }
    return backup;
  }

  /** Stops the gateway and makes its data folder from a backup. */
  void restore(Backup backup) throws IOException {
    stop();
    DataFolder.delete(data);
    data = root.resolve("data-restored-" + runs);
    if (raising) {
      RecoveryOfMonth.restore(backup.file, data, time.gatewayClock(), time::nanoTime);
    } else {
      DataFolder.copy(backup.file, data);
    }
  }

  @Override
  public void close() {
    stop();
    try {
      makeRoom();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
