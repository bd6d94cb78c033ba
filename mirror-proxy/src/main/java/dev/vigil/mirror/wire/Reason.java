package dev.vigil.mirror.wire;

import dev.vigil.directory.exchange.Code;

/** Why something was refused: what is counted, and the code the sender gets. */
public enum Reason {
  MALFORMED(Code.BAD_REQUEST),
  FORBIDDEN_MEMBER(Code.BAD_REQUEST),
  WRONG_RESOURCE(Code.BAD_REQUEST),
  BAD_SIGNATURE(Code.UNAUTHORIZED),
  UNKNOWN_KEY(Code.UNAUTHORIZED),
  ADDRESS_UNPROVEN(Code.UNAUTHORIZED),
  NOT_TRUSTED(Code.FORBIDDEN),
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

  public Code code() {
    return code;
  }
}
