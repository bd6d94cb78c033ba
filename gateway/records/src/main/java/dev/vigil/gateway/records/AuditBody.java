package dev.vigil.gateway.records;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.vigil.mirror.model.StoreSlots;
import org.jspecify.annotations.Nullable;

/** The members of an audit trail entry; {@code AuditEntry} of the mirror reads them. */
@JsonPropertyOrder({"what", "jkt", "by", "d", "kind", "record", "before", "after"})
record AuditBody(
    String what,
    String jkt,
    String by,
    String d,
    String kind,
    String record,
    @Nullable String before,
    @Nullable String after) {
  static final String SLOT = StoreSlots.AUDIT;
}
