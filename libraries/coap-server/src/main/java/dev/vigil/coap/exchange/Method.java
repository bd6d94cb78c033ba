package dev.vigil.coap.exchange;

/** The supported request methods (RFC 7252 section 5.8). */
public enum Method {
  GET,
  POST,
  PUT,
  DELETE
}
