package dev.vigil.gateway.northbound.email;

import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.northbound.AlarmSeverity;
import dev.vigil.gateway.northbound.Language;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Alarms by e-mail.
 *
 * @param url {@code smtp://HOST} or {@code smtps://HOST}, with an optional port
 * @param starttls whether {@code smtp://} must switch to TLS before anything is sent
 * @param username empty: no authentication
 * @param passwordFile a file with the password; only its owner may read the file
 * @param ca a PEM file with the authorities that may issue the server's certificate; empty: Java's
 *     authorities
 * @param from the sender's address
 * @param to the receivers' addresses
 * @param language of subject and text
 * @param severity the lowest severity that is sent
 * @param domains names of the domains whose alarms are sent, {@code -} for the unnamed domain;
 *     empty: all domains and the gateway itself
 */
public record EmailProperties(
    @Nullable URI url,
    @DefaultValue("true") boolean starttls,
    @DefaultValue("") String username,
    @DefaultValue("") String passwordFile,
    @DefaultValue("") String ca,
    @DefaultValue("") String from,
    @DefaultValue List<String> to,
    @DefaultValue("en") Language language,
    @DefaultValue("warning") AlarmSeverity severity,
    @DefaultValue List<String> domains) {
  private static final int PORT = 587;
  private static final int SECURE_PORT = 465;

  /** One mailbox without a display name or a comment. */
  private static final Pattern ADDRESS =
      Pattern.compile("[^\\s<>()\\[\\],;:\\\\\"@\\p{Cntrl}]{1,64}@[A-Za-z0-9.:\\[\\]-]{1,255}");

  public EmailProperties {
    to = List.copyOf(to);
    domains = List.copyOf(domains);
  }

  /**
   * Checks settings that depend on each other.
   *
   * @param property the prefix of these settings
   */
  public void require(String property) {
    URI server = url;
    if (server == null
        || server.getHost() == null
        || !("smtp".equals(server.getScheme()) || "smtps".equals(server.getScheme()))
        || server.getRawUserInfo() != null
        || !(server.getRawPath().isEmpty() || server.getRawPath().equals("/"))) {
      throw new InvalidSettingException(
          property + ".url", "must be an address such as smtp://mail.example or smtps://[::1]:465");
    }
    requireAddress(property + ".from", from);
    if (to.isEmpty()) {
      throw new InvalidSettingException(property + ".to", "must name a receiver");
    }
    to.forEach(one -> requireAddress(property + ".to", one));
    if (!isEncrypted() && !(username.isEmpty() && ca.isEmpty())) {
      throw new InvalidSettingException(
          property + ".starttls", "must not be off when username or ca is set");
    }
    if (username.isEmpty() != passwordFile.isEmpty()) {
      throw new InvalidSettingException(
          property + ".username", "and password-file must be set together");
    }
  }

  private static void requireAddress(String property, String address) {
    if (!ADDRESS.matcher(address).matches()) {
      throw new InvalidSettingException(
          property, "must be an address such as vigil@example.org, without a name");
    }
  }

  /** Whether the connection begins with TLS. */
  public boolean isSecure() {
    return url != null && "smtps".equals(url.getScheme());
  }

  private boolean isEncrypted() {
    return starttls || isSecure();
  }

  public String host() {
    String host = url == null || url.getHost() == null ? "" : url.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  public int port() {
    int given = url == null ? -1 : url.getPort();
    return given >= 0 ? given : isSecure() ? SECURE_PORT : PORT;
  }

  /** Whether alarms of a domain are sent; null means the gateway itself. */
  public boolean includes(@Nullable String domain) {
    return domain == null ? domains.isEmpty() : DomainNames.isIn(domains, domain);
  }
}
