package dev.vigil.gateway.api;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.util.Collection;

/** Answers requests about unknown ids without revealing to strangers which ids exist. */
public final class UnknownIds {
  private UnknownIds() {}

  /**
   * The answer to a request about an unknown id. If any domain refuses the caller, the answer is
   * that domain's refusal, as for an existing id. Only callers with access to every domain learn
   * that the id is unknown.
   *
   * @param domains the names of all domains
   * @param message states which kind of object has no such id
   * @return 4.04
   * @throws ErrorResponseException 4.01 or 4.03
   */
  public static ProblemException answer(
      Access access, Caller caller, Action action, Collection<String> domains, String message) {
    domains.forEach(d -> access.require(caller, action, d));
    return new ProblemException(ProblemType.NOT_FOUND, message);
  }
}
