package dev.vigil.directory.exchange;

/** What a client asks to be done to a resource (RFC 7252 section 5.8). */
public enum Method {
  GET,
  POST,
  PUT,
  DELETE
}
