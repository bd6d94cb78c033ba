package dev.vigil.gateway.export;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.archive.ArchiveFormat;
import dev.vigil.gateway.archive.ArchivedReading;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.history.ArchivedValue;
import dev.vigil.mirror.read.history.RecoveredRun;
import dev.vigil.mirror.state.RecoveredReadings.Recovered;
import dev.vigil.signed.senml.ResolvedRecord;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Writes the kept values of resources, one page of the store at a time. */
final class ArchiveStream {
  private static final int PAGE = 200;

  /** The cost of reading one recovered value. */
  private static final long RECOVERED_OCTETS = 128;

  private final MirrorQueries mirror;
  private final Access access;
  private final ArchiveReadLimiter limiter;

  ArchiveStream(MirrorQueries mirror, Access access, ArchiveReadLimiter limiter) {
    this.mirror = mirror;
    this.access = access;
    this.limiter = limiter;
  }

  /**
   * The export of one endpoint to one caller.
   *
   * @param valid whether the caller's credentials are still valid
   * @param shown the values that the caller may see
   * @param wanted the measurements to export; an update that has one of them is exported whole
   */
  record Export(
      Caller caller,
      BooleanSupplier valid,
      EndpointView view,
      Predicate<ArchivedValue> shown,
      Predicate<ResolvedRecord> wanted,
      ArchiveFormat format) {}

  static ArchiveFormat format(String name) {
    return switch (name) {
      case "csv" -> ArchiveFormat.CSV;
      case "jsonl" -> ArchiveFormat.JSONL;
      default ->
          throw new ProblemException(
              ProblemType.INVALID_PARAMETER, "format: takes one of jsonl, csv");
    };
  }

  /** Begins the answer, a file with that name. */
  static Writer begin(HttpServletResponse response, ArchiveFormat format, String name)
      throws IOException {
    response.setContentType(format.mediaType());
    response.setHeader("Cache-Control", "no-store");
    String file = name.replaceAll("[^A-Za-z0-9._-]", "_");
    String end = format == ArchiveFormat.CSV ? ".csv" : ".jsonl";
    response.setHeader("Content-Disposition", "attachment; filename=\"" + file + end + "\"");
    return new OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8);
  }

  /**
   * Writes the values of a resource.
   *
   * @param after only values with a higher sequence number
   */
  void write(Export export, String path, long after, Writer out) throws IOException {
    EndpointView view = export.view();
    RecoveredRun recovered = recovered(export, path, after);
    long last = after;
    while (true) {
      long from = last;
      requireStillAllowed(export);
      List<ArchivedValue> page =
          limiter.page(
              export.caller(),
              () -> mirror.archivedValues(view.id(), path, from, PAGE),
              value -> value.signed().length);
      for (ArchivedValue value : page) {
        write(export, path, recovered.until(value.arrived()), out);
        if (export.shown().test(value) && value.measurements().stream().anyMatch(export.wanted())) {
          out.write(export.format().write(ArchivedReading.of(view, value)));
        }
      }
      if (page.size() < PAGE) {
        write(export, path, recovered.rest(), out);
        return;
      }
      last = page.getLast().seq();
    }
  }

  /** A slow reader may lose its rights during the export; the export is then aborted. */
  void requireStillAllowed(Export export) {
    access.require(export.caller(), Action.READ, export.view().d());
    if (!export.valid().getAsBoolean()) {
      throw new ProblemException(
          ProblemType.UNAUTHORIZED, "the credentials of the export are no longer valid");
    }
  }

  /**
   * The recovered readings; with a sequence number, only readings measured since its update
   * arrived.
   */
  private RecoveredRun recovered(Export export, String path, long after) {
    String id = export.view().id();
    List<Recovered> all =
        limiter
            .page(export.caller(), () -> mirror.recoveredValues(id, path), one -> RECOVERED_OCTETS)
            .stream()
            .filter(one -> export.wanted().test(one.value().measurement()))
            .toList();
    Instant bound =
        after <= 0 || all.isEmpty() ? null : mirror.arrival(id, path, after).orElse(null);
    return RecoveredRun.of(all, bound, false);
  }

  private static void write(Export export, String path, List<Recovered> recovered, Writer out)
      throws IOException {
    for (Recovered one : recovered) {
      out.write(export.format().write(ArchivedReading.of(export.view(), path, one)));
    }
  }
}
