package dev.vigil.gateway.tags;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.store.NameGrammar;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The grammar of tags. It is the grammar of endpoint names without commas, which separate tags in
 * forms and tables.
 */
public final class TagGrammar {
  /** The maximum number of tags of an endpoint, of a filter and of a rule. */
  public static final int MAX_TAGS = 32;

  private TagGrammar() {}

  /**
   * The distinct tags of a request in alphabetical order.
   *
   * @param member of the body, for the message
   * @param given null: none
   * @throws ErrorResponseException 4.00 when a tag is malformed, or there are too many
   */
  public static List<String> tags(String member, @Nullable List<@Nullable String> given) {
    return tags(ProblemType.INVALID_BODY, member, given);
  }

  /**
   * The same for the tags of a query.
   *
   * @param parameter of the query, for the message
   * @throws ErrorResponseException 4.00 as above
   */
  public static List<String> parameters(String parameter, String @Nullable [] given) {
    return tags(ProblemType.INVALID_PARAMETER, parameter, given == null ? null : List.of(given));
  }

  private static List<String> tags(
      ProblemType type, String where, @Nullable List<@Nullable String> given) {
    TreeSet<String> tags = new TreeSet<>();
    for (String one : given == null ? List.<String>of() : given) {
      tags.add(tag(type, where, one));
    }
    if (tags.size() > MAX_TAGS) {
      throw new ProblemException(type, where + ": takes at most " + MAX_TAGS + " tags");
    }
    return List.copyOf(tags);
  }

  private static String tag(ProblemType type, String where, @Nullable String given) {
    String tag = given == null ? "" : given.strip();
    String fault = tag.contains(",") ? "holds a comma" : NameGrammar.fault(tag);
    if (fault != null) {
      throw new ProblemException(type, where + ": a tag " + fault);
    }
    return tag;
  }
}
