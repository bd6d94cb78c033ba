package dev.vigil.gateway.http;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Site;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Serves a site over HTTP: the same paths, formats and rules as over CoAP. */
public final class SiteServlet extends HttpServlet {
  @Serial private static final long serialVersionUID = 1L;

  /** The paths that belong to the site. */
  public static final List<String> PATHS =
      List.of("/.well-known/*", "/rd/*", "/rd-lookup/*", "/ms/*", "/keys/*");

  private static final long PATIENCE_SECONDS = 30;

  private final transient Site site;
  private final int maxBody;
  private final transient LargeAnswers large =
      new LargeAnswers(Runtime.getRuntime().maxMemory() / 8);

  /**
   * @param maxBody octets of a request's body at the most
   */
  public SiteServlet(Site site, int maxBody) {
    this.site = site;
    this.maxBody = maxBody;
  }

  @Override
  protected void service(HttpServletRequest from, HttpServletResponse to) throws IOException {
    if (from.getMethod().equals("OPTIONS")) {
      to.setStatus(HttpServletResponse.SC_NO_CONTENT);
      to.setHeader("Allow", Allowed.at(from.getRequestURI()));
      return;
    }
    try {
      Response answer = answer(from);
      large.write(answer.payload().length, () -> HttpResponses.write(answer, from, to));
    } catch (ExchangeException e) {
      HttpResponses.write(e.response(), from, to);
    }
  }

  private Response answer(HttpServletRequest from) throws IOException {
    Accepted accepted = Accepted.of(from.getHeader("Accept"));
    Request request = HttpRequests.read(from, HttpCallers.of(from), accepted, maxBody);
    if (request.method() != Method.GET) {
      return ask(request);
    }
    if (accepted.formats().isEmpty() && !accepted.any()) {
      throw new ExchangeException(Code.NOT_ACCEPTABLE, "none of the formats asked for is known");
    }
    Response answer = ask(request);
    boolean otherwise = accepted.any() && !accepted.formats().isEmpty();
    // Only what it named was offered to the resource; it also takes the resource's own choice.
    return otherwise && answer.code() == Code.NOT_ACCEPTABLE ? ask(withAny(request)) : answer;
  }

  private Response ask(Request request) {
    try {
      return site.answer(request).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new ExchangeException(Code.SERVICE_UNAVAILABLE, "no answer in time", 5);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a site answers with a diagnostic, never so", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExchangeException(Code.SERVICE_UNAVAILABLE, "the gateway is stopping", 5);
    }
  }

  private static Request withAny(Request r) {
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
