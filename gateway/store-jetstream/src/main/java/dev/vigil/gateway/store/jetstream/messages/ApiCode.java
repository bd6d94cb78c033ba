package dev.vigil.gateway.store.jetstream.messages;

/** The error codes of JetStream's API that mean something here. */
public final class ApiCode {
  static final int NO_SUITABLE_SERVERS = 10005;
  static final int TEMPORARILY_UNAVAILABLE = 10008;
  public static final int NO_MESSAGE = 10037;
  public static final int STREAM_EXISTS = 10058;
  public static final int NO_STREAM = 10059;
  static final int WRONG_LAST_SEQUENCE = 10071;
  static final int WRONG_LAST_SEQUENCE_IN_FLIGHT = 10164;

  private ApiCode() {}
}
