package dev.vigil.gateway.problems;

import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.refusal.StaleValueException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The problem types (RFC 9457 section 3.1.1). Clients distinguish problems by type, and the web UI
 * shows its own text for each type. Names never change. {@code docs/guide/rest-problems.md} lists
 * them.
 */
public enum ProblemType {
  // The first type of each code is its general type.
  INVALID_REQUEST(Code.BAD_REQUEST),
  INVALID_PARAMETER(Code.BAD_REQUEST),
  INVALID_BODY(Code.BAD_REQUEST),
  INVALID_CURSOR(Code.BAD_REQUEST),
  VALUE_NOT_ACCEPTED(Code.BAD_REQUEST),
  UNAUTHORIZED(Code.UNAUTHORIZED),
  WRONG_PASSWORD(Code.UNAUTHORIZED),
  WRONG_PASSKEY(Code.UNAUTHORIZED),
  PASSKEY_NEEDED(Code.UNAUTHORIZED),
  PASSWORD_CHANGE_NEEDED(Code.UNAUTHORIZED),
  INVALID_CREDENTIALS(Code.UNAUTHORIZED),
  BAD_SIGNATURE(Code.UNAUTHORIZED),
  UNKNOWN_KEY(Code.UNAUTHORIZED),
  FORBIDDEN(Code.FORBIDDEN),
  OTHER_SITE(Code.FORBIDDEN),
  UNKNOWN_COMMANDER(Code.FORBIDDEN),
  NOT_TRUSTED(Code.FORBIDDEN),
  NOT_FOUND(Code.NOT_FOUND),
  NO_RADIO(Code.NOT_FOUND),
  METHOD_NOT_ALLOWED(Code.METHOD_NOT_ALLOWED),
  NOT_ACCEPTABLE(Code.NOT_ACCEPTABLE),
  CONFLICT(Code.CONFLICT),
  IN_SETTINGS_FILE(Code.CONFLICT),
  LIMIT_REACHED(Code.CONFLICT),
  STILL_USED(Code.CONFLICT),
  NOT_WAITING(Code.CONFLICT),
  SEVERAL_NAMES(Code.CONFLICT),
  NUMBER_USED(Code.CONFLICT),
  OUTSIDE_WINDOW(Code.CONFLICT),
  CHANGED_MEANWHILE(Code.PRECONDITION_FAILED),
  TOO_LARGE(Code.REQUEST_ENTITY_TOO_LARGE),
  UNSUPPORTED_TYPE(Code.UNSUPPORTED_CONTENT_FORMAT),
  TOO_MANY_REQUESTS(Code.TOO_MANY_REQUESTS),
  INTERNAL_ERROR(Code.INTERNAL_SERVER_ERROR),
  NOT_IMPLEMENTED(Code.NOT_IMPLEMENTED),
  BAD_GATEWAY(Code.BAD_GATEWAY),
  OVERLOADED(Code.SERVICE_UNAVAILABLE),
  NOT_STORED(Code.SERVICE_UNAVAILABLE),
  STALE_VALUE(Code.SERVICE_UNAVAILABLE),
  STOPPING(Code.SERVICE_UNAVAILABLE),
  NO_ANSWER(Code.GATEWAY_TIMEOUT);

  private static final String PREFIX = "/problems/";
  private static final int FIRST_SERVER_ERROR = 500;

  private final Code code;

  ProblemType(Code code) {
    this.code = code;
  }

  public Code code() {
    return code;
  }

  /** The URI reference that identifies the type. It does not resolve to a document. */
  public String uri() {
    return PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The problem type of a refusal. */
  public static ProblemType of(ErrorResponseException e) {
    return switch (e) {
      case ProblemException problem -> problem.type();
      case RequestRefused refused -> of(refused.reason());
      case StaleValueException _ -> STALE_VALUE;
      case ErrorResponseException _ -> of(e.code());
    };
  }

  private static ProblemType of(Reason reason) {
    return switch (reason) {
      case MALFORMED, FORBIDDEN_MEMBER, WRONG_RESOURCE -> INVALID_BODY;
      case VALUE_NOT_ACCEPTED -> VALUE_NOT_ACCEPTED;
      case BAD_SIGNATURE -> BAD_SIGNATURE;
      case UNKNOWN_KEY -> UNKNOWN_KEY;
      case ADDRESS_UNPROVEN -> UNAUTHORIZED;
      case NOT_TRUSTED -> NOT_TRUSTED;
      case UNKNOWN_COMMANDER -> UNKNOWN_COMMANDER;
      case POLICY -> FORBIDDEN;
      case NO_ENTRY -> NOT_FOUND;
      case NOT_ALLOWED -> METHOD_NOT_ALLOWED;
      case NUMBER_USED -> NUMBER_USED;
      case OUTSIDE_WINDOW -> OUTSIDE_WINDOW;
      case TOO_LARGE -> TOO_LARGE;
      case UNKNOWN_FORMAT -> UNSUPPORTED_TYPE;
      case TOO_FAST -> TOO_MANY_REQUESTS;
      case OVERLOADED -> OVERLOADED;
      case NOT_STORED -> NOT_STORED;
    };
  }

  static ProblemType of(Code code) {
    return Arrays.stream(values())
        .filter(type -> type.code == code)
        .findFirst()
        .orElseGet(() -> ofStatus(code.httpStatus()));
  }

  /** The general problem type of an HTTP status. */
  public static ProblemType ofStatus(int status) {
    Optional<ProblemType> general =
        Arrays.stream(values()).filter(type -> type.code.httpStatus() == status).findFirst();
    return general.orElse(status < FIRST_SERVER_ERROR ? INVALID_REQUEST : INTERNAL_ERROR);
  }
}
