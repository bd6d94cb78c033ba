package dev.vigil.directory.lookup;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.limits.WorkLimiter;
import dev.vigil.directory.catalogue.LookupSearch;

/**
 * Limits of one lookup. Beyond them the answer is 4.00 and suggests {@code page} and {@code count}.
 *
 * @param results maximum number of links that one lookup returns
 * @param strangersOctets approximate maximum size of the links that one lookup over CoAP returns to
 *     a stranger. A client fetches them in blocks, and for each first block all of them are
 *     searched and written
 * @param largeLookups number of costly lookups that run at a time (5.03 beyond)
 */
public record LookupLimits(int results, int strangersOctets, int largeLookups) {
  public static final LookupLimits STANDARD = new LookupLimits(100_000, 65_536, 2);

  /** The approximate maximum size of the links in the answer to a request, in octets. */
  long octets(Request request) {
    boolean limited =
        request.base().startsWith("coap") && !WorkLimiter.isUnlimited(request.caller());
    return limited ? strangersOctets : Long.MAX_VALUE;
  }

  /**
   * @throws ErrorResponseException 4.00 if a search found more than its answer may contain
   */
  void require(LookupSearch search, int found) {
    if (search.isTooLong()) {
      throw tooLong("the links that match are longer than " + strangersOctets + " octets");
    }
    if (found > results) {
      throw tooLong("more than " + results + " links match");
    }
  }

  private static ErrorResponseException tooLong(String what) {
    return new ErrorResponseException(Code.BAD_REQUEST, what + "; use page and count");
  }
}
