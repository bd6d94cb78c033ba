package dev.vigil.gateway.month;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Rights that are decided once for each caller, action and domain. */
final class DefectiveAccess {
  private DefectiveAccess() {}

  private record Question(Caller.Identity caller, Access.Action action, String domain) {}

  /** Access with that defect; without it the given access. */
  static Access of(Access access, boolean defective) {
    if (!defective) {
      return access;
    }
    Map<Question, Access.Decision> decided = new ConcurrentHashMap<>();
    return (caller, action, domain) ->
        decided.computeIfAbsent(
            new Question(caller.identity(), action, domain),
            question -> access.decide(caller, action, domain));
  }
}
