package dev.vigil.gateway.problems;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Response;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.MissingRequestValueException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Turns errors of {@code /api} into problem details (RFC 9457) without internals. An answer that
 * has begun is aborted instead, and the client recognises it as incomplete (RFC 9112 section 8).
 */
@RestControllerAdvice
public class ProblemDetails extends ResponseEntityExceptionHandler {
  /**
   * A request's attribute: a {@link Runnable} that closes the connection without further octets.
   */
  public static final String CLOSE_NOW = ProblemDetails.class.getName() + ".closeNow";

  private static final String UNAUTHORIZED = ProblemDetails.class.getName() + ".unauthorized";
  private static final Logger log = LoggerFactory.getLogger(ProblemDetails.class);

  /** Sets the reason why a request has no rights; it replaces {@link ProblemType#UNAUTHORIZED}. */
  public static void explainUnauthorized(HttpServletRequest request, ProblemException reason) {
    request.setAttribute(UNAUTHORIZED, reason);
  }

  @ExceptionHandler
  @Nullable ResponseEntity<ProblemDetail> refused(
      ErrorResponseException refusal, HttpServletRequest request, HttpServletResponse response) {
    if (response.isCommitted()) {
      log.debug("an answer was broken off: {}", refusal.diagnostic());
      closeNow(request);
      return null;
    }
    ErrorResponseException e =
        ProblemType.of(refusal) == ProblemType.UNAUTHORIZED
                && request.getAttribute(UNAUTHORIZED) instanceof ProblemException reason
            ? reason
            : refusal;
    HttpStatus status = HttpStatus.valueOf(e.code().httpStatus());
    ResponseEntity.BodyBuilder answer = ResponseEntity.status(status);
    if (status == HttpStatus.UNAUTHORIZED) {
      answer.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"vigil\"");
    }
    long maxAge = e.response().maxAge();
    if (maxAge != Response.NO_MAX_AGE) {
      answer.header(HttpHeaders.RETRY_AFTER, Long.toString(maxAge));
    }
    return answer.body(problem(ProblemType.of(e), status, e.diagnostic()));
  }

  /** Handles a client that disconnected, for instance during an export. */
  @ExceptionHandler
  void disconnected(IOException e, HttpServletRequest request) {
    log.debug("a client has disconnected", e);
    closeNow(request);
  }

  @ExceptionHandler
  @Nullable ProblemDetail unexpected(
      Exception e, HttpServletRequest request, HttpServletResponse response) {
    log.error("an API request failed", e);
    if (response.isCommitted()) {
      closeNow(request);
      return null;
    }
    return problem(
        ProblemType.INTERNAL_ERROR,
        HttpStatus.INTERNAL_SERVER_ERROR,
        "internal error; see the gateway's log");
  }

  private static void closeNow(HttpServletRequest request) {
    if (request.getAttribute(CLOSE_NOW) instanceof Runnable close) {
      close.run();
    }
  }

  private static ProblemDetail problem(ProblemType type, HttpStatus status, String detail) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
    problem.setType(URI.create(type.uri()));
    return problem;
  }

  /** Assigns problem types to the errors that Spring detects. */
  @Override
  protected @Nullable ResponseEntity<Object> handleExceptionInternal(
      Exception e,
      @Nullable Object body,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    @Nullable ResponseEntity<Object> answer =
        super.handleExceptionInternal(e, body, headers, status, request);
    if (answer != null && answer.getBody() instanceof ProblemDetail problem) {
      boolean parameter =
          e instanceof MissingRequestValueException || e instanceof TypeMismatchException;
      ProblemType type =
          parameter ? ProblemType.INVALID_PARAMETER : ProblemType.ofStatus(status.value());
      problem.setType(URI.create(type.uri()));
    }
    return answer;
  }
}
