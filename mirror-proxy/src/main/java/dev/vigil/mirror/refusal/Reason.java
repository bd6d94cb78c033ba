package dev.vigil.mirror.refusal;

import dev.vigil.coap.exchange.Code;
import dev.vigil.signed.Fault;
import java.util.Locale;

/** The reason why the mirror refused a request; determines the counter and the response code. */
public enum Reason {
  MALFORMED(Code.BAD_REQUEST),
  FORBIDDEN_MEMBER(Code.BAD_REQUEST),
  WRONG_RESOURCE(Code.BAD_REQUEST),
  VALUE_NOT_ACCEPTED(Code.BAD_REQUEST),
  BAD_SIGNATURE(Code.UNAUTHORIZED),
  UNKNOWN_KEY(Code.UNAUTHORIZED),
  ADDRESS_UNPROVEN(Code.UNAUTHORIZED),
  NOT_TRUSTED(Code.FORBIDDEN),
  UNKNOWN_COMMANDER(Code.FORBIDDEN),
  POLICY(Code.FORBIDDEN),
  NO_ENTRY(Code.NOT_FOUND),
  NOT_ALLOWED(Code.METHOD_NOT_ALLOWED),
  NUMBER_USED(Code.CONFLICT),
  OUTSIDE_WINDOW(Code.CONFLICT),
  TOO_LARGE(Code.REQUEST_ENTITY_TOO_LARGE),
  UNKNOWN_FORMAT(Code.UNSUPPORTED_CONTENT_FORMAT),
  TOO_FAST(Code.TOO_MANY_REQUESTS),
  OVERLOADED(Code.SERVICE_UNAVAILABLE),
  NOT_STORED(Code.SERVICE_UNAVAILABLE);

  private final Code code;

  Reason(Code code) {
    this.code = code;
  }

  static Reason of(Fault fault) {
    return switch (fault) {
      case MALFORMED -> MALFORMED;
      case FORBIDDEN_MEMBER -> FORBIDDEN_MEMBER;
      case BAD_SIGNATURE -> BAD_SIGNATURE;
    };
  }

  public Code code() {
    return code;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
