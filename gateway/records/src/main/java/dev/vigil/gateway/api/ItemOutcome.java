package dev.vigil.gateway.api;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome for one item of a request about many.
 *
 * @param endpoint id of the endpoint
 * @param thumbprint of the key, where the item is about one
 * @param status the HTTP status that a request about this item alone would have got
 * @param type the kind of problem for which it was refused
 * @param detail why it was refused
 */
public record ItemOutcome(
    @Nullable String endpoint,
    @Nullable String thumbprint,
    int status,
    @Nullable String type,
    @Nullable String detail) {
  /** Items of one request at most. */
  public static final int MAX_ITEMS = 100;

  private static final int NO_CONTENT = 204;

  /** The outcomes of all items, in their order. */
  public record OutcomesJson(List<ItemOutcome> results) {}

  /** Acts on one item; a refusal does not keep others from being acted on. */
  public static ItemOutcome of(
      @Nullable String endpoint, @Nullable String thumbprint, Runnable action) {
    try {
      action.run();
      return new ItemOutcome(endpoint, thumbprint, NO_CONTENT, null, null);
    } catch (ErrorResponseException e) {
      String type = ProblemType.of(e).uri();
      return new ItemOutcome(endpoint, thumbprint, e.code().httpStatus(), type, e.diagnostic());
    }
  }
}
