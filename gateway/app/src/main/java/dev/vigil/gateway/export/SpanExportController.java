package dev.vigil.gateway.export;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.api.QueryValues;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.archive.ArchiveFormat;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.export.ArchiveStream.Export;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import dev.vigil.gateway.limits.SearchLimiter;
import dev.vigil.gateway.store.Aggregate;
import dev.vigil.gateway.store.AggregateSeries;
import dev.vigil.gateway.store.AggregateStore.Entry;
import dev.vigil.gateway.store.AggregatedNumbers;
import dev.vigil.gateway.store.Resolution;
import dev.vigil.gateway.tags.EndpointFilter;
import dev.vigil.gateway.tags.EndpointSelection;
import dev.vigil.gateway.tags.TagGrammar;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointCursor;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.history.ValueMark;
import dev.vigil.store.EndpointName;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Writer;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Streams what many endpoints measured within a span of time. */
@RestController
class SpanExportController {
  private static final String VALUES = "values";
  private static final String MINUTE = "minute";
  private static final String HOUR = "hour";
  private static final String DAY = "day";

  /** Endpoints that are listed at a time. */
  private static final int PAGE = 100;

  /** Aggregates of one series that are read at a time. */
  private static final int WINDOW = 100;

  /** More than all series of a resource have in a window. */
  private static final int MAX_ENTRIES = 100_000;

  /** The cost of reading one aggregate. */
  private static final long AGGREGATE_OCTETS = 64;

  /** How far a measurement may be ahead of the clock, in seconds. */
  private static final long MAX_AHEAD = 86_400;

  private final MirrorQueries mirror;
  private final EndpointSelection selection;
  private final AggregatedNumbers aggregates;
  private final Access access;
  private final ArchiveReadLimiter limiter;
  private final SearchLimiter searches;
  private final Clock clock;
  private final ArchiveStream archive;

  SpanExportController(
      MirrorQueries mirror,
      EndpointSelection selection,
      AggregatedNumbers aggregates,
      Access access,
      ArchiveReadLimiter limiter,
      SearchLimiter searches,
      Clock clock) {
    this.mirror = mirror;
    this.selection = selection;
    this.aggregates = aggregates;
    this.access = access;
    this.limiter = limiter;
    this.searches = searches;
    this.clock = clock;
    this.archive = new ArchiveStream(mirror, access, limiter);
  }

  /**
   * A span of time, in unix time.
   *
   * @param end exclusive
   */
  private record Span(double first, double end) {
    boolean contains(double at) {
      return at >= first && at < end;
    }
  }

  @Operation(
      operationId = "exportEndpoints",
      summary = "What all endpoints that the caller may read measured, as CSV or JSON lines",
      description =
          "Ordered by domain, name and resource. With resolution=values the kept values with their"
              + " JWS (or COSE_Sign1) and key, as in the export of one endpoint; \"vigil verify"
              + " FILE\" checks such a file. An update is exported whole if one of its measurements"
              + " is in the span. With minute, hour or day: least, mean, greatest and last number"
              + " and the count of each, which nobody signed.")
  @GetMapping("/api/export")
  void export(
      HttpServletRequest request,
      HttpServletResponse response,
      @Parameter(description = "only the endpoint of that name") @RequestParam @Nullable String ep,
      @Parameter(description = "only endpoints of that domain") @RequestParam @Nullable String d,
      @Parameter(description = "only endpoints with this tag; may be repeated") @RequestParam
          @Nullable List<String> tag,
      @Parameter(
              description = "measured at or after: 2026-11-20T12:00:00Z or unix seconds",
              schema = @Schema(type = "string", maxLength = 40))
          @RequestParam
          @Nullable String from,
      @Parameter(
              description = "measured before, in the same form",
              schema = @Schema(type = "string", maxLength = 40))
          @RequestParam
          @Nullable String to,
      @Parameter(
              description = "signed values, or the gateway's own aggregates",
              schema =
                  @Schema(
                      allowableValues = {VALUES, MINUTE, HOUR, DAY},
                      defaultValue = VALUES))
          @RequestParam(defaultValue = VALUES)
          String resolution,
      @Parameter(
              description = "JSON lines or CSV",
              schema =
                  @Schema(
                      allowableValues = {"jsonl", "csv"},
                      defaultValue = "jsonl"))
          @RequestParam(defaultValue = "jsonl")
          String format,
      @Parameter(
              description =
                  "units of /api/display-units, separated by commas, in which aggregates of their"
                      + " quantities are given; absent: as measured",
              schema = @Schema(type = "string", maxLength = 200))
          @RequestParam
          @Nullable String units)
      throws IOException {
    Span span =
        new Span(
            from == null ? Double.NEGATIVE_INFINITY : QueryValues.time("from", from),
            to == null ? Double.POSITIVE_INFINITY : QueryValues.time("to", to));
    QueryValues.oneOf("resolution", resolution, List.of(VALUES, MINUTE, HOUR, DAY));
    ArchiveFormat form = ArchiveStream.format(format);
    ExportUnits wanted = ExportUnits.read(units, resolution.equals(VALUES));
    Caller caller = HttpCallers.of(request);
    String domain = d == null ? null : DomainNames.named(d);
    VisibleDomains visible =
        VisibleDomains.of(access, caller, Action.READ, mirror.domains().keySet(), domain);
    // Spring would split a tag with a comma, and ignore an empty one.
    List<String> tags = TagGrammar.parameters("tag", request.getParameterValues("tag"));
    Predicate<EndpointCursor> filter =
        selection.of(new EndpointFilter(ep, d, null, null, null, tags));
    Predicate<EndpointCursor> selected = one -> visible.test(one.d()) && filter.test(one);
    limiter.requireAllowed(caller);
    BooleanSupplier valid = HttpCallers.validity(request);
    List<EndpointView> page = page(caller, selected, null);
    Writer out = ArchiveStream.begin(response, form, "export");
    out.write(resolution.equals(VALUES) ? form.start() : AggregateRow.header(form));
    while (!page.isEmpty()) {
      for (EndpointView view : page) {
        limiter.requireAllowed(caller);
        Export export = export(caller, valid, view, span, form);
        if (export != null) {
          write(export, span, resolution, wanted, out);
        }
      }
      page = page(caller, selected, page.getLast());
    }
    out.flush();
  }

  private List<EndpointView> page(
      Caller caller, Predicate<EndpointCursor> selected, @Nullable EndpointView last) {
    EndpointCursor after = last == null ? null : new EndpointCursor(last.d(), last.ep(), last.id());
    return searches.search(caller, () -> mirror.endpoints(selected, after, PAGE));
  }

  /** Null when the endpoint's key is revoked and the caller is no operator. */
  private @Nullable Export export(
      Caller caller, BooleanSupplier valid, EndpointView view, Span span, ArchiveFormat format) {
    boolean operates = access.decide(caller, Action.OPERATE, view.d()) instanceof Access.Allowed;
    if (!operates && view.state() == TrustState.REVOKED) {
      return null;
    }
    return new Export(
        caller,
        valid,
        view,
        value -> operates || !value.marks().contains(ValueMark.REVOKED),
        measurement -> span.contains(measurement.time()),
        format);
  }

  private void write(Export export, Span span, String resolution, ExportUnits units, Writer out)
      throws IOException {
    for (String path : mirror.archivedPaths(export.view().id())) {
      switch (resolution) {
        case MINUTE -> write(export, path, Resolution.MINUTE, span, units, out);
        case HOUR -> write(export, path, Resolution.HOUR, span, units, out);
        case DAY -> write(export, path, Resolution.DAY, span, units, out);
        default -> archive.write(export, path, 0, out);
      }
    }
  }

  private void write(
      Export export, String path, Resolution resolution, Span span, ExportUnits units, Writer out)
      throws IOException {
    EndpointName name = new EndpointName(export.view().ep(), export.view().d());
    long oldest =
        aggregates
            .since(name, path)
            .map(since -> resolution.start(since.getEpochSecond()))
            .orElse(Long.MAX_VALUE);
    long first = Math.max(oldest, resolution.start((long) Math.max(0, span.first())));
    long newest = clock.instant().getEpochSecond() + MAX_AHEAD;
    long end = (long) Math.min(newest, Math.ceil(span.end()));
    long step = WINDOW * resolution.seconds();
    for (long start = first; start < end; start += step) {
      archive.requireStillAllowed(export);
      long from = start;
      List<Entry> entries =
          limiter.page(
              export.caller(),
              () ->
                  aggregates.read(
                      name, path, resolution, from, Math.min(end, from + step), MAX_ENTRIES),
              entry -> AGGREGATE_OCTETS);
      for (AggregateRow row : rows(export.view(), path, resolution, entries, units)) {
        out.write(row.write(export.format()));
      }
    }
  }

  private record Place(String name, String unit, long start) {}

  private record Sum(Aggregate all, long recovered) {
    Sum plus(Sum more) {
      return new Sum(all.plus(more.all), recovered + more.recovered);
    }
  }

  /** Adds up the numbers of all keys that are not revoked. */
  private List<AggregateRow> rows(
      EndpointView view,
      String path,
      Resolution resolution,
      List<Entry> entries,
      ExportUnits units) {
    Map<Place, Sum> sums =
        new TreeMap<>(
            Comparator.comparing(Place::name)
                .thenComparing(Place::unit)
                .thenComparing(Place::start));
    for (Entry entry : entries) {
      AggregateSeries series = entry.series();
      if (!mirror.isRevoked(series.kid())) {
        boolean recovered = series.kid().equals(AggregateSeries.RECOVERED);
        sums.merge(
            new Place(series.name(), series.unit(), entry.start()),
            new Sum(entry.aggregate(), recovered ? entry.aggregate().count() : 0),
            Sum::plus);
      }
    }
    return sums.entrySet().stream()
        .map(
            one ->
                new AggregateRow(
                    view,
                    path,
                    one.getKey().name,
                    units.unit(one.getKey().unit),
                    resolution,
                    one.getKey().start,
                    one.getValue().all,
                    one.getValue().recovered,
                    units.conversion(one.getKey().unit)))
        .toList();
  }
}
