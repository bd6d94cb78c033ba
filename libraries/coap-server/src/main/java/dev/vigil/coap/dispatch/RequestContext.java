package dev.vigil.coap.dispatch;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.limits.VerifiedAddresses;
import dev.vigil.coap.message.BaseUris;
import dev.vigil.coap.message.CallerResolver;
import dev.vigil.coap.message.EchoVerifier;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import org.eclipse.californium.elements.EndpointContext;

/**
 * The parts of a server that its two request paths share: {@code CaliforniumRequestHandler} and
 * {@code FastPathServer}.
 */
public record RequestContext(
    RequestDispatcher dispatcher,
    CallerResolver callers,
    BaseUris baseUris,
    EchoVerifier echo,
    VerifiedAddresses verified,
    KeyedSerialExecutor serialExecutor,
    SeparateResponseTimer separateResponses) {

  private static final int RETRY_SECONDS = 5;

  /** The response to a request that {@link #execute} rejected. */
  public static final Response OVERLOADED =
      Response.diagnostic(Code.SERVICE_UNAVAILABLE, "too many requests are waiting")
          .withMaxAge(RETRY_SECONDS);

  /**
   * Identifies the sender of a request.
   *
   * @param local the socket that received the request
   * @param source the source of the request
   * @param echoOption the value of the Echo option, empty without one
   */
  public Caller caller(
      InetSocketAddress local, EndpointContext source, boolean secure, byte[] echoOption) {
    InetSocketAddress peer = source.getPeerAddress();
    boolean echoed = echoOption.length > 0 && echo.isValid(echoOption, peer);
    if (echoed) {
      verified.add(peer);
    }
    return callers.of(local, source, secure, echoed || verified.isRecent(peer));
  }

  /**
   * Runs the task that answers a request. If the route has a key for the request, the task waits
   * until the tasks of earlier requests with the same key are done; otherwise {@code executor} runs
   * it.
   *
   * @return false if too many requests with that key are waiting; the task will not run
   */
  public boolean execute(Route route, Request request, Executor executor, Runnable task) {
    String key = route.serialKey(request.method(), request.path());
    if (key == null) {
      executor.execute(task);
      return true;
    }
    return serialExecutor.offer(key, task);
  }
}
