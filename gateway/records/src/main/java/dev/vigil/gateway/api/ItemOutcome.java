package dev.vigil.gateway.api;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome for one item of a bulk request.
 *
 * @param endpoint id of the endpoint
 * @param thumbprint of the key, if the item is about a key
 * @param status the HTTP status that a request about this item alone would receive
 * @param type the problem type if the item was refused
 * @param detail the reason if the item was refused
 */
public record ItemOutcome(
    @Nullable String endpoint,
    @Nullable String thumbprint,
    int status,
    @Nullable String type,
    @Nullable String detail) {
  /** The maximum number of items in one request. */
  public static final int MAX_ITEMS = 100;

  private static final int NO_CONTENT = 204;

  /** The outcomes of all items, in the order of the request. */
  public record OutcomesJson(List<ItemOutcome> results) {}

  /** Processes one item; a refusal does not affect the other items. */
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
