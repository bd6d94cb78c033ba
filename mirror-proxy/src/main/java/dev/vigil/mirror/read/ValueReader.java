package dev.vigil.mirror.read;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.EntityTag;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.limits.WorkLimiter;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.mirror.model.StoredValue;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.refusal.StaleValueException;
import dev.vigil.mirror.state.HistoryRetention;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.mirror.state.ProvenTarget;
import dev.vigil.mirror.state.RequestTarget;
import dev.vigil.mirror.state.UnprovenTarget;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Serves mirrored values and their history ({@code GET /ms/{id}/{path}}). */
public final class ValueReader {
  private static final List<ContentFormat> FORMATS_OF_JWS =
      List.of(
          ContentFormat.JOSE,
          ContentFormat.SENML_JSON,
          ContentFormat.SENML_CBOR,
          ContentFormat.TEXT);
  private static final List<ContentFormat> FORMATS_OF_COSE =
      List.of(
          ContentFormat.COSE_SIGN1,
          ContentFormat.SENML_CBOR,
          ContentFormat.SENML_JSON,
          ContentFormat.TEXT);
  private static final List<ContentFormat> HISTORY_FORMATS =
      List.of(ContentFormat.JWS_LIST, ContentFormat.SENML_JSON, ContentFormat.SENML_CBOR);
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;

  /** Maximum size of a history page; the client requests the next page with {@code after}. */
  private static final int MAX_HISTORY_OCTETS = 48_000;

  /** Cost of one entry of the history, regardless of its size; see {@link WorkLimiter}. */
  private static final int ENTRY_COST = 1_000;

  private final Store store;
  private final MirrorState state;
  private final HistoryRetention retention;
  private final EndpointViews views;
  private final WorkLimiter work;
  private final Clock clock;

  public ValueReader(
      Store store,
      MirrorState state,
      HistoryRetention retention,
      EndpointViews views,
      WorkLimiter work,
      Clock clock) {
    this.store = store;
    this.state = state;
    this.retention = retention;
    this.views = views;
    this.work = work;
    this.clock = clock;
  }

  /**
   * @throws RequestRefused 4.00, 4.03 for a value of a revoked key, 4.04
   */
  public Response read(Request request, RequestTarget target, String path) {
    return switch (target) {
      case ProvenTarget proven -> read(request, proven, path);
      case UnprovenTarget unproven -> throw noValue();
    };
  }

  private static RequestRefused noValue() {
    return new RequestRefused(Reason.NO_ENTRY, "there is no value yet");
  }

  private Response read(Request request, ProvenTarget target, String path) {
    MirroredEndpoint endpoint = target.endpoint();
    StoredValue value = endpoint.value(path);
    if (value == null || target.keys().state() == TrustState.PENDING) {
      throw noValue();
    }
    if (state.isRevoked(target.keys().jkt()) || isOfRevokedKey(value)) {
      throw new RequestRefused(Reason.NOT_TRUSTED, "the key that signed the value is revoked");
    }
    Query query = request.query();
    boolean history = !query.parameters().isEmpty() && (query.has("after") || query.has("limit"));
    return history
        ? history(request, endpoint, path)
        : present(request, endpoint, value, target.domain().serveStale());
  }

  /** To find the key of a value, the value must be parsed; so first checks for any revoked key. */
  private boolean isOfRevokedKey(StoredValue value) {
    return state.hasRevoked() && state.isRevoked(value.kid());
  }

  private Response present(
      Request request, MirroredEndpoint endpoint, StoredValue value, boolean serveStale) {
    boolean stale = views.isStale(endpoint, value);
    if (stale && !serveStale) {
      throw new StaleValueException(views.wakeInterval(endpoint));
    }
    ContentFormat format =
        request.choose(value.format() == ContentFormat.JOSE ? FORMATS_OF_JWS : FORMATS_OF_COSE);
    long untilNext =
        (value.arrived() + views.wakeInterval(endpoint) * 1000 - clock.millis()) / 1000;
    return new Response(
        Code.CONTENT,
        format,
        payload(format, value),
        new EntityTag(value.seq(), format),
        stale ? 0 : Math.max(1, untilNext),
        List.of(),
        MirrorState.topic(endpoint.id(), value.path()));
  }

  private static byte[] payload(ContentFormat format, StoredValue value) {
    return switch (format) {
      case JOSE, COSE_SIGN1 -> value.signed();
      case SENML_JSON ->
          value.payloadFormat() == format ? value.payload() : value.pack().writeJson();
      case SENML_CBOR ->
          value.payloadFormat() == format ? value.payload() : value.pack().writeCbor();
      case TEXT ->
          EndpointViews.text(EndpointViews.lastRecord(value)).getBytes(StandardCharsets.UTF_8);
      case LINK_FORMAT, JSON, CBOR, MULTIPART, JWK, SIGNED_UPDATE, JWS_LIST ->
          throw new IllegalArgumentException("not a value format: " + format);
    };
  }

  /**
   * A page of history. Its ETag contains the number of the last value that the page covers, even if
   * that value is not shown because it is too old, not available in this format, or signed with a
   * revoked key. The next page is requested with {@code after} and this number. A page without an
   * ETag covers no value: the history ends.
   *
   * <p>An unverified source first gets an Echo challenge, because both the work and the answer are
   * large.
   */
  private Response history(Request request, MirroredEndpoint endpoint, String path) {
    ContentFormat format = request.choose(HISTORY_FORMATS);
    long after = number(request.query(), "after", 0, Long.MAX_VALUE);
    int limit = (int) number(request.query(), "limit", DEFAULT_LIMIT, MAX_LIMIT);
    if (limit == 0) {
      // An empty page would indicate the end of the history.
      throw RequestRefused.malformed("limit must be at least 1");
    }
    work.requireVerified(request.caller());
    HistoryPage read = historyPage(endpoint, path, after, limit);
    work.charge(request.caller(), read.cost());
    List<StoredValue> values = read.values();
    byte[] payload =
        switch (format) {
          case SENML_JSON -> resolved(values).writeJson();
          case SENML_CBOR -> resolved(values).writeCbor();
          default -> jwsList(values);
        };
    Response page = Response.content(format, payload).withMaxAge(0);
    return read.through() == 0 ? page : page.withTag(new EntityTag(read.through(), format));
  }

  /**
   * @param through number of the last value that the page covers; 0 if the history ends
   */
  private record HistoryPage(List<StoredValue> values, long through, long cost) {}

  private HistoryPage historyPage(MirroredEndpoint endpoint, String path, long after, int limit) {
    StoredValue newest = endpoint.value(path);
    int likelyOctets = newest == null ? 1 : Math.max(1, newest.signed().length);
    int step = Math.clamp(MAX_HISTORY_OCTETS / likelyOctets + 1, 1, limit);
    String slot = StoreSlots.VALUE + path;
    List<StoredValue> values = new ArrayList<>();
    long octets = 0;
    long through = 0;
    int visited = 0;
    List<Store.HistoryEntry> entries;
    do {
      entries =
          store.history(
              endpoint.name(), slot, Math.max(after, through), Math.min(step, limit - visited));
      for (Store.HistoryEntry entry : entries) {
        visited++;
        octets += entry.body().length;
        if (octets > MAX_HISTORY_OCTETS && through > 0) {
          return new HistoryPage(values, through, octets + (long) ENTRY_COST * visited);
        }
        through = entry.sequence();
        StoredValue value =
            new StoredValue(path, entry.sequence(), entry.at().toEpochMilli(), entry.body());
        if (entry.body().length > 0
            && retention.isVisible(endpoint, value)
            && !isOfRevokedKey(value)) {
          values.add(value);
        }
      }
    } while (entries.size() == step && visited < limit);
    return new HistoryPage(values, through, octets + (long) ENTRY_COST * visited);
  }

  private static long number(Query query, String name, long absent, long max) {
    String text = query.single(name).orElse("");
    if (text.isEmpty()) {
      return absent;
    }
    if (text.length() > 18 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw RequestRefused.malformed(name + " is not a number");
    }
    return Math.min(max, Long.parseLong(text));
  }

  private static SenmlPack resolved(List<StoredValue> values) {
    List<ResolvedRecord> records = new ArrayList<>();
    values.forEach(value -> records.addAll(value.pack().resolve(value.arrived() / 1000.0)));
    return SenmlPack.of(records);
  }

  private static byte[] jwsList(List<StoredValue> values) {
    JsonWriter json = new JsonWriter().open('[');
    for (StoredValue value : values) {
      // A value that arrived as COSE_Sign1 has no JWS; it is available as SenML.
      if (value.format() == ContentFormat.JOSE) {
        json.string(new String(value.signed(), StandardCharsets.US_ASCII));
      }
    }
    return json.close(']').toOctets();
  }
}
