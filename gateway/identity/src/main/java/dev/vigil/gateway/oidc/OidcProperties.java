package dev.vigil.gateway.oidc;

import dev.vigil.gateway.settings.InvalidSettingException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An OpenID Connect provider through which people can sign in in addition to passwords.
 *
 * @param issuer the provider's issuer identifier, {@code https://}, or {@code http://} on this
 *     machine; null: no provider
 * @param clientId the gateway's client id at the provider
 * @param clientSecretFile a file with the gateway's client secret; only its owner may read the
 *     file. Empty: the gateway is a public client
 * @param name the provider's name on the sign-in page; empty: the host of the issuer
 * @param scopes requested in addition to {@code openid}
 * @param accountClaim the claim that names the account
 * @param rolesClaim the claim whose values have roles; dots lead into objects
 * @param roles the roles of each value; other values have no roles
 * @param ca a PEM file with the authorities that may issue the provider's certificate; empty:
 *     Java's authorities
 */
public record OidcProperties(
    @Nullable URI issuer,
    @DefaultValue("") String clientId,
    @DefaultValue("") String clientSecretFile,
    @DefaultValue("") String name,
    @DefaultValue("profile") List<String> scopes,
    @DefaultValue("sub") String accountClaim,
    @DefaultValue("groups") String rolesClaim,
    @DefaultValue List<ValueRoles> roles,
    @DefaultValue("") String ca) {
  private static final String PROPERTY = "accounts.oidc";
  private static final int MAX_NAME = 64;

  /**
   * The roles of a value of the claim.
   *
   * @param roles for instance {@code viewer}, or {@code viewer:plant} in one domain
   */
  public record ValueRoles(@DefaultValue("") String value, @DefaultValue List<String> roles) {
    public ValueRoles {
      roles = List.copyOf(roles);
    }
  }

  public OidcProperties {
    scopes = List.copyOf(scopes);
    roles = List.copyOf(roles);
    if (issuer != null) {
      requireIssuer(issuer);
      if (clientId.isBlank()) {
        throw refused("client-id", "must be the gateway's client id at the provider");
      }
      if (accountClaim.isBlank() || rolesClaim.isBlank()) {
        throw refused("account-claim", "and roles-claim must name claims");
      }
      if (name.length() > MAX_NAME) {
        throw refused("name", "may have at most " + MAX_NAME + " characters");
      }
      if (!ca.isEmpty() && !"https".equals(issuer.getScheme())) {
        throw refused("issuer", "must begin with https:// when ca is set");
      }
    } else if (!clientId.isEmpty() || !roles.isEmpty()) {
      throw refused("issuer", "is missing: set it to the provider's issuer identifier");
    }
  }

  /**
   * Requires encryption for providers on other machines, because tokens and codes pass through the
   * issuer's address.
   */
  private static void requireIssuer(URI issuer) {
    boolean plain = "http".equals(issuer.getScheme()) && isLoopback(issuer.getHost());
    if (issuer.getHost() == null
        || !(plain || "https".equals(issuer.getScheme()))
        || issuer.getRawUserInfo() != null
        || issuer.getRawQuery() != null
        || issuer.getRawFragment() != null) {
      throw refused(
          "issuer",
          "takes an address such as https://login.example/realms/plant; http:// only on this"
              + " machine");
    }
  }

  private static boolean isLoopback(@Nullable String host) {
    if (host == null || host.equals("localhost")) {
      return host != null;
    }
    try {
      return InetAddress.ofLiteral(host.replaceAll("^\\[|]$", "")).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static InvalidSettingException refused(String setting, String predicate) {
    return new InvalidSettingException(PROPERTY + "." + setting, predicate);
  }

  /** The prefix of these settings without {@code vigil.}, for messages. */
  public static String property() {
    return PROPERTY;
  }

  /** The provider's name on the sign-in page; empty without a provider. */
  public String title() {
    return issuer == null ? "" : name.isBlank() ? issuer.getHost() : name.strip();
  }
}
