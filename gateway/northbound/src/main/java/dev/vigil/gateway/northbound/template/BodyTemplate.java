package dev.vigil.gateway.northbound.template;

import com.samskivert.mustache.BasicCollector;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.MustacheException;
import com.samskivert.mustache.Template;
import dev.vigil.gateway.northbound.Language;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A template of the body that a webhook sends for an event. */
public final class BodyTemplate {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private final Template template;
  private final EventNames names;

  private BodyTemplate(Template template, EventNames names) {
    this.template = template;
    this.names = names;
  }

  /** Looks names up in maps only, so that no template can call code. */
  private static final class Maps extends BasicCollector {
    @Override
    public <K, V> Map<K, V> createFetcherCache() {
      return new ConcurrentHashMap<>();
    }
  }

  /** Whether values can be written safely into a body of this type. */
  public static boolean supports(String contentType) {
    return Escaping.of(contentType).isPresent();
  }

  /**
   * Compiles a template, and fills it with examples of each event.
   *
   * @param contentType says how values are escaped
   * @param links finds the address of the page about an event
   */
  public static BodyTemplate of(
      String text, String contentType, Language language, EventNames.Links links)
      throws InvalidTemplateException {
    Escaping escaping = Escaping.of(contentType).orElseThrow(IllegalArgumentException::new);
    TemplateTags.require(text, EventNames.ALL);
    try {
      Template compiled =
          Mustache.compiler()
              .withEscaper(escaping::escaped)
              .withCollector(new Maps())
              .emptyStringIsFalse(true)
              .compile(text);
      for (EventNames.Links shown : Examples.LINKS) {
        BodyTemplate tried = new BodyTemplate(compiled, new EventNames(escaping, language, shown));
        for (Examples.Example example : Examples.ALL) {
          Optional<String> body = tried.render(example.event());
          if (escaping == Escaping.JSON && body.isPresent()) {
            requireJson(example, body.get());
          }
        }
      }
      return new BodyTemplate(compiled, new EventNames(escaping, language, links));
    } catch (MustacheException e) {
      throw new InvalidTemplateException("is wrong: " + e.getMessage());
    }
  }

  private static void requireJson(Examples.Example example, String body)
      throws InvalidTemplateException {
    try {
      JSON.readTree(body);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      throw new InvalidTemplateException(
          "does not make JSON of the example of %s: line %d, column %d of its body: %s"
              .formatted(example.type(), at.getLineNr(), at.getColumnNr(), e.getOriginalMessage()));
    }
  }

  /**
   * The body for an event.
   *
   * @param event a CloudEvent in JSON
   * @return empty: nothing is sent, because the template leaves the event out
   */
  public Optional<String> render(String event) {
    return Optional.of(template.execute(names.of(event))).filter(body -> !body.isBlank());
  }
}
