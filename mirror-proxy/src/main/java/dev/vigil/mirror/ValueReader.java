package dev.vigil.mirror;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.EntityTag;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.state.Store;
import dev.vigil.mirror.senml.Measurement;
import dev.vigil.mirror.senml.Pack;
import dev.vigil.mirror.wire.JsonText;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Serves mirrored values ({@code GET /ms/{id}/{path}}) and their history. */
final class ValueReader {
  private static final List<ContentFormat> AS_JWS =
      List.of(
          ContentFormat.JOSE,
          ContentFormat.SENML_JSON,
          ContentFormat.SENML_CBOR,
          ContentFormat.TEXT);
  private static final List<ContentFormat> AS_COSE =
      List.of(
          ContentFormat.COSE_SIGN1,
          ContentFormat.SENML_CBOR,
          ContentFormat.SENML_JSON,
          ContentFormat.TEXT);
  private static final List<ContentFormat> AS_HISTORY =
      List.of(ContentFormat.JWS_LIST, ContentFormat.SENML_JSON, ContentFormat.SENML_CBOR);
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;

  /** What an answer may hold; the rest is asked for with {@code after}. */
  private static final int MAX_HISTORY_OCTETS = 48_000;

  private final Store store;
  private final Memory memory;
  private final Past past;
  private final Views views;
  private final Clock clock;

  ValueReader(Store store, Memory memory, Past past, Views views, Clock clock) {
    this.store = store;
    this.memory = memory;
    this.past = past;
    this.views = views;
    this.clock = clock;
  }

  Response read(Request request, Target target, String path) {
    Mirrored known = target.known();
    StoredValue value = known == null ? null : known.value(path);
    if (known == null || value == null || target.ring().state() == TrustState.PENDING) {
      throw new Rejection(Reason.NO_ENTRY, "there is no value (yet)");
    }
    // Whose key it was has to be parsed out of the value: only when that can matter.
    if (memory.hasRevoked()
        && (memory.isRevoked(target.ring().jkt()) || memory.isRevoked(value.kid()))) {
      throw new Rejection(Reason.NOT_TRUSTED, "the key that signed it is revoked");
    }
    Query query = request.query();
    boolean past = !query.parameters().isEmpty() && (query.has("after") || query.has("limit"));
    return past
        ? history(request, known, path)
        : last(request, known, value, target.domain().serveStale());
  }

  private Response last(Request request, Mirrored known, StoredValue value, boolean serveStale) {
    boolean stale = views.stale(known, value);
    if (stale && !serveStale) {
      throw new ExchangeException(
          Code.SERVICE_UNAVAILABLE, "the value is stale", views.wake(known));
    }
    ContentFormat format = request.choose(value.format() == ContentFormat.JOSE ? AS_JWS : AS_COSE);
    long fresh = (value.arrived() + views.wake(known) * 1000 - clock.millis()) / 1000;
    return new Response(
        Code.CONTENT,
        format,
        in(format, value),
        new EntityTag(value.seq(), format),
        stale ? 0 : Math.max(1, fresh),
        List.of(),
        Memory.topic(known.id(), value.path()));
  }

  private static byte[] in(ContentFormat format, StoredValue value) {
    return switch (format) {
      case JOSE, COSE_SIGN1 -> value.signed();
      case SENML_JSON ->
          value.payloadFormat() == format ? value.payload() : value.pack().writeJson();
      case SENML_CBOR ->
          value.payloadFormat() == format ? value.payload() : value.pack().writeCbor();
      case TEXT -> Views.text(Views.last(value)).getBytes(StandardCharsets.UTF_8);
      case LINK_FORMAT, JSON, CBOR, MULTIPART, JWK, SIGNED_UPDATE, JWS_LIST ->
          throw new IllegalArgumentException("not offered: " + format);
    };
  }

  /**
   * A page of the past. Its tag is the number of the last value that it went through, shown or not
   * (too old, or not in this format): what {@code after} it is the next page. One without a tag
   * went through none and ends it.
   */
  private Response history(Request request, Mirrored known, String path) {
    ContentFormat format = request.choose(AS_HISTORY);
    long after = number(request.query(), "after", 0, Long.MAX_VALUE);
    int limit = (int) number(request.query(), "limit", DEFAULT_LIMIT, MAX_LIMIT);
    if (limit == 0) {
      // An empty page would say that the past ends here.
      throw Rejection.malformed("limit is at least 1");
    }
    List<StoredValue> values = new ArrayList<>();
    int octets = 0;
    long through = 0;
    for (Store.Kept kept : store.history(known.name(), Slots.VALUE + path, after, limit)) {
      octets += kept.body().length;
      if (octets > MAX_HISTORY_OCTETS && through > 0) {
        break;
      }
      through = kept.sequence();
      StoredValue value =
          new StoredValue(path, kept.sequence(), kept.at().toEpochMilli(), kept.body());
      if (kept.body().length > 0 && past.shows(known, value)) {
        values.add(value);
      }
    }
    byte[] payload =
        switch (format) {
          case SENML_JSON -> resolved(values).writeJson();
          case SENML_CBOR -> resolved(values).writeCbor();
          default -> jwsList(values);
        };
    Response page = Response.content(format, payload).withMaxAge(0);
    return through == 0 ? page : page.withTag(new EntityTag(through, format));
  }

  private static long number(Query query, String name, long otherwise, long most) {
    String text = query.single(name).orElse("");
    if (text.isEmpty()) {
      return otherwise;
    }
    if (text.length() > 18 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw Rejection.malformed(name + " is not a number");
    }
    return Math.min(most, Long.parseLong(text));
  }

  private static Pack resolved(List<StoredValue> values) {
    List<Measurement> all = new ArrayList<>();
    values.forEach(v -> all.addAll(v.pack().resolve(v.arrived() / 1000.0)));
    return Pack.of(all);
  }

  private static byte[] jwsList(List<StoredValue> values) {
    JsonText json = new JsonText().open('[');
    for (StoredValue value : values) {
      // One that came as COSE has no JWS; it is read as SenML.
      if (value.format() == ContentFormat.JOSE) {
        json.string(new String(value.signed(), StandardCharsets.US_ASCII));
      }
    }
    return json.close(']').toOctets();
  }
}
