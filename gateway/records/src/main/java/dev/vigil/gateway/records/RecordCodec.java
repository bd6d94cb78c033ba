package dev.vigil.gateway.records;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vigil.store.Fact;
import java.io.Serial;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads and writes the JSON of one kind of record. Because two versions of the gateway may share
 * the store, unknown members are ignored and missing members are null, zero or empty.
 */
final class RecordCodec<T> {
  /** The maximum size of one record in octets. */
  static final int MAX_OCTETS = 64 << 10;

  /** The maximum size of a record in the audit trail, in octets. The trail keeps every entry. */
  private static final int MAX_SHOWN = 8 << 10;

  private static final JsonMapper STORED =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .changeDefaultPropertyInclusion(
              inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
          .build();

  private static final JsonMapper SHOWN =
      STORED.rebuild().annotationIntrospector(new WithoutSecrets()).build();

  private final Class<T> type;

  RecordCodec(Class<T> type) {
    this.type = type;
  }

  Class<T> type() {
    return type;
  }

  boolean fits(T value) {
    return encode(value).length <= MAX_OCTETS;
  }

  private byte[] encode(T value) {
    return StoredJson.repaired(STORED.writeValueAsBytes(value));
  }

  /**
   * @throws IllegalArgumentException when the record is too long
   */
  byte[] write(T value) {
    byte[] body = encode(value);
    if (body.length > MAX_OCTETS) {
      throw new IllegalArgumentException("a record has at most " + MAX_OCTETS + " octets");
    }
    return body;
  }

  /**
   * @throws tools.jackson.core.JacksonException when the body is not such a record
   */
  T read(byte[] body) {
    return STORED.readValue(StoredJson.repaired(body), type);
  }

  /** The fact that records a change in the audit trail. */
  Fact audit(Audit audit, String kind, String id, @Nullable T before, @Nullable T after) {
    AuditBody body =
        new AuditBody(
            audit.what(), "", audit.by(), audit.d(), kind, id, shown(before), shown(after));
    return new Fact(
        AuditBody.SLOT, Fact.KEEP_ALL, StoredJson.repaired(STORED.writeValueAsBytes(body)));
  }

  private @Nullable String shown(@Nullable T value) {
    if (value == null) {
      return null;
    }
    String json = SHOWN.writeValueAsString(value);
    return json.length() > MAX_SHOWN ? "{\"omitted\":%d}".formatted(json.length()) : json;
  }

  private static final class WithoutSecrets extends JacksonAnnotationIntrospector {
    @Serial private static final long serialVersionUID = 1L;

    @Override
    public boolean hasIgnoreMarker(MapperConfig<?> config, AnnotatedMember member) {
      return member.hasAnnotation(Secret.class) || super.hasIgnoreMarker(config, member);
    }
  }
}
