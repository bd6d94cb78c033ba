package dev.vigil.gateway.tags;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.gateway.api.QueryValues;
import dev.vigil.gateway.labels.LabelledEndpoints;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointCursor;
import dev.vigil.mirror.read.Freshness;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Decides which endpoints a filter selects. */
@Component
public final class EndpointSelection {
  private final MirrorQueries mirror;
  private final LabelledEndpoints labels;
  private final TaggedEndpoints tagged;

  EndpointSelection(MirrorQueries mirror, LabelledEndpoints labels, TaggedEndpoints tagged) {
    this.mirror = mirror;
    this.labels = labels;
    this.tagged = tagged;
  }

  /**
   * @return a predicate without regard to what the caller may see
   * @throws ErrorResponseException 4.00 when freshness or trust is an unknown word
   */
  public Predicate<EndpointCursor> of(EndpointFilter filter) {
    String ep = filter.ep();
    String d = filter.d() == null ? null : DomainNames.named(filter.d());
    String text = filter.text() == null ? null : filter.text().toLowerCase(Locale.ROOT);
    List<String> tags = filter.tags() == null ? List.of() : filter.tags();
    Predicate<String> standing = standing(filter.trust(), filter.freshness());
    return endpoint ->
        (ep == null || ep.equals(endpoint.ep()))
            && (d == null || d.equals(endpoint.d()))
            && (tags.isEmpty() || tagged.of(endpoint.id()).containsAll(tags))
            && (text == null || contains(endpoint, text))
            && standing.test(endpoint.id());
  }

  private boolean contains(EndpointCursor endpoint, String text) {
    return endpoint.ep().toLowerCase(Locale.ROOT).contains(text)
        || labels.get(endpoint.id()).map(label -> label.value().contains(text)).orElse(false);
  }

  private Predicate<String> standing(@Nullable String trust, @Nullable String freshness) {
    QueryValues.oneOf("trust", trust, LabelsOf.Label.all(TrustState.class));
    QueryValues.oneOf("freshness", freshness, LabelsOf.Label.all(Freshness.class));
    if (trust == null && freshness == null) {
      return id -> true;
    }
    return id ->
        mirror
            .standing(id)
            .filter(one -> trust == null || trust.equals(LabelsOf.Label.of(one.trust())))
            .filter(
                one -> freshness == null || freshness.equals(LabelsOf.Label.of(one.freshness())))
            .isPresent();
  }
}
