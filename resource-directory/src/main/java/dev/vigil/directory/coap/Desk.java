package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Site;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import org.eclipse.californium.elements.EndpointContext;

/** What both ways to an answer have in common: {@link Deliverer} and {@link Express}. */
record Desk(
    Site site, Callers callers, Bases bases, Echo echo, Lanes lanes, LateAnswers lateAnswers) {

  private static final int BUSY_SECONDS = 5;

  static final Response BUSY =
      Response.diagnostic(Code.SERVICE_UNAVAILABLE, "too many requests wait")
          .withMaxAge(BUSY_SECONDS);

  /**
   * @param at where the datagram came in
   * @param echoed the Echo option's value, empty without one
   */
  Caller caller(InetSocketAddress at, EndpointContext context, boolean secure, byte[] echoed) {
    return callers.of(
        at, context, secure, echoed.length > 0 && echo.answers(echoed, context.getPeerAddress()));
  }

  /**
   * Runs what answers a request: a reader finds one state or the next, and need not wait; what
   * changes an endpoint takes its turn, in the order in which it is given here.
   *
   * @param now runs what need not wait
   * @return false when too many wait; it will not run then
   */
  boolean inTurn(Request request, Executor now, Runnable answering) {
    List<String> path = request.path();
    if (request.method() == Method.GET || path.size() < 2 || !path.getFirst().equals("ms")) {
      now.execute(answering);
      return true;
    }
    return lanes.offer(path.get(1), answering);
  }
}
