package dev.vigil.gateway.system;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.cluster.StreamStatus;
import dev.vigil.gateway.duties.ClusterGateway;
import dev.vigil.gateway.duties.Duties;
import dev.vigil.gateway.duties.Repairs;
import dev.vigil.gateway.duties.Repairs.RepairRecord;
import dev.vigil.gateway.store.ClusterContact;
import dev.vigil.gateway.store.DataFolder;
import dev.vigil.gateway.store.GatewayStore;
import dev.vigil.gateway.store.StoreStatistics;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.info.BuildProperties;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows operators the gateway itself. */
@RestController
class SystemController {
  private final Access access;
  private final HealthParts health;
  private final EffectiveSettings settings;
  private final GatewayStore store;
  private final File folder;
  private final ClusterProperties cluster;
  private final Duties duties;
  private final StreamStatus stream;
  private final Clock clock;
  private final Repairs repairs;
  private final @Nullable BuildProperties build;

  SystemController(
      Access access,
      HealthParts health,
      EffectiveSettings settings,
      GatewayStore store,
      DataFolder folder,
      ClusterProperties cluster,
      Duties duties,
      StreamStatus stream,
      Clock clock,
      Repairs repairs,
      ObjectProvider<BuildProperties> build) {
    this.access = access;
    this.health = health;
    this.settings = settings;
    this.store = store;
    this.folder = folder.path().toFile();
    this.cluster = cluster;
    this.duties = duties;
    this.stream = stream;
    this.clock = clock;
    this.repairs = repairs;
    this.build = build.getIfAvailable();
  }

  /**
   * @param version absent in a gateway that no release build made
   * @param build number of the build
   * @param startedAt when the process began
   * @param status the worst of the parts: UP, DEGRADED, RADIO_LOST, DOWN, OUT_OF_SERVICE or UNKNOWN
   * @param cluster absent in a gateway that shares its state with no other
   */
  record SystemJson(
      @Nullable String version,
      @Nullable String build,
      @Nullable Instant builtAt,
      Instant startedAt,
      String status,
      List<HealthParts.PartJson> parts,
      StoreJson store,
      DiskJson disk,
      MemoryJson memory,
      @Nullable ClusterJson cluster) {}

  /**
   * @param endpoints endpoint names, including names without a registration
   * @param waiting changes that wait for the disk
   * @param written changes written since the start
   * @param refused changes refused since the start, as old or repeated
   * @param failed changes that the disk refused since the start
   * @param transactions transactions since the start
   * @param octets size of the database's files
   */
  record StoreJson(
      int endpoints,
      int waiting,
      long written,
      long refused,
      long failed,
      long transactions,
      long octets) {}

  /** Octets of the disk with the data folder. */
  record DiskJson(long free, long total) {}

  /** Octets of the heap. */
  record MemoryJson(long used, long max) {}

  /**
   * @param gateway the name of this gateway
   * @param duties the name of the gateway that delivers to other systems, raises alarms and
   *     publishes in other directories; empty while no gateway does
   * @param position of the newest change that this gateway has
   * @param firstPosition of the oldest change that is still in the stream
   * @param snapshot the newest snapshot; absent while there is none
   * @param lag changes in the stream that this gateway does not have yet
   * @param silentSeconds the time since the servers last answered, while there is no contact
   * @param servers the servers that have the whole stream
   * @param copies the servers that should have it
   * @param repairs the newest repair by each gateway
   */
  record ClusterJson(
      String gateway,
      String duties,
      long position,
      long firstPosition,
      @Nullable SnapshotJson snapshot,
      long lag,
      double silentSeconds,
      int servers,
      int copies,
      List<ClusterGatewayJson> gateways,
      List<RepairJson> repairs) {}

  /**
   * A copy of a gateway's state, with which a new gateway begins.
   *
   * @param position of the newest change that it has
   * @param octets of its database
   */
  record SnapshotJson(long position, Instant at, double ageSeconds, long octets) {}

  /**
   * Changes that the servers had lost, and a gateway stored again when it started.
   *
   * @param gateway that repaired the cluster
   * @param lost changes that were lost
   * @param stored changes that are stored again
   * @param overtaken values that newer ones had superseded; they are not stored
   * @param damaged whether the gateway's replica was damaged and has been filled again
   */
  record RepairJson(
      String gateway, Instant at, long lost, long stored, long overtaken, boolean damaged) {
    static RepairJson of(RepairRecord one) {
      return new RepairJson(
          one.gateway(), one.at(), one.lost(), one.stored(), one.overtaken(), one.damaged());
    }
  }

  /**
   * A gateway that runs, or has failed within the last hour.
   *
   * @param position of the newest change that it had when it was last heard
   * @param silentSeconds the time since it was last heard; a gateway speaks every 5 s
   * @param clockAheadSeconds by how much its clock is ahead of this gateway's
   */
  record ClusterGatewayJson(
      String name,
      Instant startedAt,
      long position,
      double silentSeconds,
      double clockAheadSeconds) {
    static ClusterGatewayJson of(ClusterGateway one) {
      return new ClusterGatewayJson(
          one.name(),
          one.startedAt(),
          one.position(),
          one.silent().toMillis() / 1000.0,
          one.ahead().toMillis() / 1000.0);
    }
  }

  @Operation(
      operationId = "getSystem",
      summary = "Version, health of each part, and figures of the store, the disk and the memory")
  @GetMapping("/api/system")
  SystemJson system(HttpServletRequest request) {
    access.require(HttpCallers.of(request), Action.OPERATE, Access.EVERY_DOMAIN);
    HealthParts.Health present = health.read();
    return new SystemJson(
        build == null ? null : build.getVersion(),
        build == null ? null : build.get("number"),
        build == null ? null : build.getTime(),
        Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime()),
        present.status(),
        present.parts(),
        figures(),
        new DiskJson(folder.getUsableSpace(), folder.getTotalSpace()),
        new MemoryJson(
            ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
            Runtime.getRuntime().maxMemory()),
        store.contact().map(this::cluster).orElse(null));
  }

  private ClusterJson cluster(ClusterContact contact) {
    StreamStatus.Seen seen = stream.seen().orElse(null);
    StreamStatus.Newest newest = seen == null ? null : seen.snapshot();
    return new ClusterJson(
        cluster.gateway(),
        duties.holder(),
        store.position(),
        seen == null ? 0 : seen.firstPosition(),
        newest == null
            ? null
            : new SnapshotJson(
                newest.position(),
                newest.at(),
                Duration.between(newest.at(), clock.instant()).toMillis() / 1000.0,
                newest.octets()),
        contact.lag(),
        contact.silence().toMillis() / 1000.0,
        contact.servers(),
        contact.copies(),
        duties.gateways().stream().map(ClusterGatewayJson::of).toList(),
        repairs.since(Instant.EPOCH).stream().map(RepairJson::of).toList());
  }

  private StoreJson figures() {
    StoreStatistics.Counts counts = store.counts();
    return new StoreJson(
        store.endpoints(),
        store.waiting(),
        counts.committed(),
        counts.refused(),
        counts.failed(),
        counts.syncs(),
        store.octets());
  }

  record SettingsJson(List<EffectiveSettings.SettingJson> settings) {}

  @Operation(
      operationId = "listSettings",
      summary = "The settings in force, and where each comes from",
      description = "Names are written without the prefix vigil. Secrets have no value.")
  @GetMapping("/api/settings")
  SettingsJson settings(HttpServletRequest request) {
    access.require(HttpCallers.of(request), Action.ADMINISTER, Access.EVERY_DOMAIN);
    return new SettingsJson(settings.all());
  }
}
