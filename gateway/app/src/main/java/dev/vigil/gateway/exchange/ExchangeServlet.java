package dev.vigil.gateway.exchange;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Serves the dispatcher's resources over HTTP: the same paths, formats and rules as over CoAP. */
public final class ExchangeServlet extends HttpServlet {
  @Serial private static final long serialVersionUID = 1L;

  /** URL patterns of the resources. */
  public static final List<String> PATHS =
      List.of("/.well-known/*", "/rd/*", "/rd-lookup/*", "/ms/*", "/keys/*");

  private static final long TIMEOUT_SECONDS = 30;

  private final transient RequestDispatcher dispatcher;
  private final int maxBody;
  private final transient LargeResponseLimit largeResponses =
      new LargeResponseLimit(Runtime.getRuntime().maxMemory() / 8);

  /**
   * @param maxBody maximum octets of a request's body
   */
  public ExchangeServlet(RequestDispatcher dispatcher, int maxBody) {
    this.dispatcher = dispatcher;
    this.maxBody = maxBody;
  }

  @Override
  protected void service(HttpServletRequest from, HttpServletResponse to) throws IOException {
    if (from.getMethod().equals("OPTIONS")) {
      to.setStatus(HttpServletResponse.SC_NO_CONTENT);
      to.setHeader("Allow", AllowedMethods.at(from.getRequestURI()));
      return;
    }
    try {
      Response answer = answer(from);
      largeResponses.write(answer.payload().length, () -> HttpResponses.write(answer, from, to));
    } catch (ErrorResponseException e) {
      HttpResponses.write(e.response(), from, to);
    }
  }

  private Response answer(HttpServletRequest from) throws IOException {
    AcceptHeader accepted = AcceptHeader.of(from.getHeader("Accept"));
    Request request = HttpRequests.read(from, HttpCallers.of(from), accepted, maxBody);
    if (request.method() != Method.GET) {
      return ask(request);
    }
    if (accepted.formats().isEmpty() && !accepted.any()) {
      throw new ProblemException(
          ProblemType.NOT_ACCEPTABLE, "none of the accepted formats is known");
    }
    Response answer = ask(request);
    boolean othersAccepted = accepted.any() && !accepted.formats().isEmpty();
    // The resource saw only the named formats; the client also accepts the resource's default.
    return othersAccepted && answer.code() == Code.NOT_ACCEPTABLE
        ? ask(withAnyFormat(request))
        : answer;
  }

  private Response ask(Request request) {
    try {
      return dispatcher.answer(request).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new ProblemException(ProblemType.OVERLOADED, "no answer in time", 5);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the dispatcher failed without a response", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProblemException(ProblemType.STOPPING, "the gateway is stopping", 5);
    }
  }

  private static Request withAnyFormat(Request r) {
    return new Request(
        r.method(),
        r.path(),
        r.query(),
        r.format(),
        r.payload(),
        List.of(),
        r.confirmable(),
        r.caller(),
        r.base());
  }
}
