package dev.vigil.coap.exchange;

/** Response codes of CoAP (RFC 7252 section 12.1.2) and the HTTP status each maps to (RFC 8075). */
public enum Code {
  CREATED(0x41, 201),
  DELETED(0x42, 204),
  VALID(0x43, 304),
  CHANGED(0x44, 204),
  CONTENT(0x45, 200),
  BAD_REQUEST(0x80, 400),
  UNAUTHORIZED(0x81, 401),
  BAD_OPTION(0x82, 400),
  FORBIDDEN(0x83, 403),
  NOT_FOUND(0x84, 404),
  METHOD_NOT_ALLOWED(0x85, 405),
  NOT_ACCEPTABLE(0x86, 406),
  /** RFC 7959 section 2.9.2. */
  REQUEST_ENTITY_INCOMPLETE(0x88, 400),
  /** RFC 8132 section 3.2. */
  CONFLICT(0x89, 409),
  PRECONDITION_FAILED(0x8c, 412),
  REQUEST_ENTITY_TOO_LARGE(0x8d, 413),
  UNSUPPORTED_CONTENT_FORMAT(0x8f, 415),
  /** RFC 8516. */
  TOO_MANY_REQUESTS(0x9d, 429),
  INTERNAL_SERVER_ERROR(0xa0, 500),
  NOT_IMPLEMENTED(0xa1, 501),
  /** A server that this server had to ask gave no usable response. */
  BAD_GATEWAY(0xa2, 502),
  SERVICE_UNAVAILABLE(0xa3, 503),
  GATEWAY_TIMEOUT(0xa4, 504),
  PROXYING_NOT_SUPPORTED(0xa5, 502);

  private final int octet;
  private final int httpStatus;

  Code(int octet, int httpStatus) {
    this.octet = octet;
    this.httpStatus = httpStatus;
  }

  /** The code in a CoAP header: class in the upper 3 bits, detail in the lower 5. */
  public int octet() {
    return octet;
  }

  public int httpStatus() {
    return httpStatus;
  }

  public boolean isSuccess() {
    return octet < 0x80;
  }

  /** The code in the notation of RFC 7252, for instance {@code 4.04}. */
  public String dotted() {
    return "%d.%02d".formatted(octet >> 5, octet & 0x1f);
  }
}
