package dev.vigil.gateway.oidc;

import dev.vigil.gateway.settings.InvalidSettingException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An OpenID Connect provider through which people sign in, besides those with passwords.
 *
 * @param issuer the provider as it names itself, {@code https://}, or {@code http://} on this
 *     machine; null: there is none
 * @param clientId the gateway's name at the provider
 * @param clientSecretFile a file with the gateway's secret at the provider; only its owner may read
 *     it. Empty: the gateway has none there (a public client)
 * @param name the provider's name on the sign-in page; empty: the host of the issuer
 * @param scopes that are asked for besides {@code openid}
 * @param accountClaim the claim that names the account
 * @param rolesClaim the claim whose values have roles; dots lead into objects
 * @param roles which value has which roles; other values have none
 * @param ca a PEM file with the authorities that may have issued the provider's certificate; empty:
 *     those of Java
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
        throw refused("client-id", "must be the gateway's name at the provider");
      }
      if (accountClaim.isBlank() || rolesClaim.isBlank()) {
        throw refused("account-claim", "and roles-claim must name claims");
      }
      if (name.length() > MAX_NAME) {
        throw refused("name", "may have at most " + MAX_NAME + " characters");
      }
      if (!ca.isEmpty() && !"https".equals(issuer.getScheme())) {
        throw refused("issuer", "must begin with https:// where authorities are set");
      }
    } else if (!clientId.isEmpty() || !roles.isEmpty()) {
      throw refused("issuer", "is missing: it is the provider as it names itself");
    }
  }

  /** Tokens and codes pass through the provider's address: they need encryption off the machine. */
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

  /** The name of these settings without {@code vigil.}, for messages. */
  public static String property() {
    return PROPERTY;
  }

  /** The provider's name on the sign-in page; empty without a provider. */
  public String title() {
    return issuer == null ? "" : name.isBlank() ? issuer.getHost() : name.strip();
  }
}
