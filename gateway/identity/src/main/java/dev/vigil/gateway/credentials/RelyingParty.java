package dev.vigil.gateway.credentials;

import dev.vigil.gateway.callers.RequestHost;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The gateway under one of its host names (WebAuthn section 4, Relying Party). A passkey belongs to
 * the host name under which it was created.
 *
 * @param id the host name, already permitted by the host filter
 * @param origins origins of the pages whose answers are accepted: HTTPS, and plain HTTP only for
 *     localhost
 */
public record RelyingParty(String id, Set<String> origins) {
  private static final String LOCALHOST = "localhost";

  public RelyingParty {
    origins = Set.copyOf(origins);
  }

  /** Empty when the request names an address, because browsers support passkeys only for names. */
  public static Optional<RelyingParty> of(HttpServletRequest request) {
    String host = RequestHost.of(request);
    String authority = request.getHeader("Host");
    if (host == null || authority == null || !RequestHost.isName(host)) {
      return Optional.empty();
    }
    String spelled = authority.strip().toLowerCase(Locale.ROOT);
    boolean local = host.equals(LOCALHOST) || host.endsWith("." + LOCALHOST);
    Set<String> origins =
        local ? Set.of("https://" + spelled, "http://" + spelled) : Set.of("https://" + spelled);
    return Optional.of(new RelyingParty(host, origins));
  }

  /**
   * Returns the relying party for a ceremony.
   *
   * @throws ProblemException 4.00 when the request names an address, or its page came over plain
   *     HTTP from a host other than localhost
   */
  public static RelyingParty require(HttpServletRequest request) {
    RelyingParty party =
        of(request)
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemType.INVALID_REQUEST,
                        "passkeys need a host name: open the gateway by its name over HTTPS, or as"
                            + " localhost, not by an address"));
    String origin = request.getHeader("Origin");
    if (origin != null && !party.origins.contains(origin.toLowerCase(Locale.ROOT))) {
      throw new ProblemException(
          ProblemType.INVALID_REQUEST,
          "passkeys need a page that came over HTTPS, or from localhost; a proxy in front must forward"
              + " the Host header");
    }
    return party;
  }
}
