package dev.vigil.coap.exchange;

/**
 * Decides what a caller may do, in the same way for every protocol. A domain is an administrative
 * domain, which RFC 9176 section 5 calls the sector ({@code d}). The empty string is the domain of
 * requests that name no domain.
 */
public interface Access {
  /**
   * Used in place of a domain for actions that concern the whole server, for instance its network.
   * No domain has this name, because names that begin with a dot are reserved.
   */
  String EVERY_DOMAIN = ".every";

  Decision decide(Caller caller, Action action, String domain);

  enum Action {
    REGISTER,
    LOOK_UP,
    READ,
    COMMAND,

    /** Decide on keys, cancel commands, repair the network. */
    OPERATE,

    /** Change accounts and settings. */
    ADMINISTER
  }

  sealed interface Decision {}

  record Allowed() implements Decision {}

  /**
   * @param code 4.01 if credentials would help, 4.03 if they would not
   * @param reason one line for the caller and the audit log
   */
  record Refused(Code code, String reason) implements Decision {}

  /**
   * Returns if the action is allowed.
   *
   * @throws ErrorResponseException with the refusal's code and reason
   */
  default void require(Caller caller, Action action, String domain) {
    switch (decide(caller, action, domain)) {
      case Allowed() -> {}
      case Refused(Code code, String reason) -> throw new ErrorResponseException(code, reason);
    }
  }
}
