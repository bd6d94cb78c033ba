package dev.vigil.directory.exchange;

/**
 * The one place that decides who may do what, for CoAP, CoAPS, HTTP and commands alike. A domain is
 * an administrative domain, which is also the directory's sector ({@code d}); the empty string is
 * the domain of requests that name none.
 */
public interface Access {
  Decision decide(Caller caller, Action action, String domain);

  enum Action {
    REGISTER,
    LOOK_UP,
    READ,
    COMMAND,
    ADMINISTER
  }

  sealed interface Decision {}

  record Allowed() implements Decision {}

  /**
   * @param code 4.01 when credentials would help, 4.03 when they would not
   * @param reason one line for the caller and the audit log
   */
  record Refused(Code code, String reason) implements Decision {}

  /**
   * Returns when allowed.
   *
   * @throws ExchangeException with the refusal's code and reason
   */
  default void require(Caller caller, Action action, String domain) {
    switch (decide(caller, action, domain)) {
      case Allowed() -> {}
      case Refused(Code code, String reason) -> throw new ExchangeException(code, reason);
    }
  }
}
