package dev.vigil.gateway.webpush;

import dev.vigil.gateway.northbound.AlarmSeverity;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Alarms as notifications in browsers.
 *
 * @param contact {@code mailto:} or {@code https:} address of the operator, which push services may
 *     use (RFC 8292 section 2.1); empty: no web push
 * @param services hosts of push services, with a port other than 443; {@code *.} stands for any
 *     labels. Browsers choose the address of their service, so it is used only if it is listed
 * @param ca a PEM file with the authorities that may issue the services' certificates; empty:
 *     Java's authorities
 * @param severity the lowest severity that is sent
 */
public record WebPushProperties(
    @DefaultValue("") String contact,
    @DefaultValue({
          "fcm.googleapis.com",
          "*.push.services.mozilla.com",
          "*.push.apple.com",
          "*.notify.windows.com"
        })
        List<String> services,
    @DefaultValue("") String ca,
    @DefaultValue("warning") AlarmSeverity severity) {
  private static final Pattern CONTACT =
      Pattern.compile("mailto:[^\\s\"\\\\<>]+@[^\\s\"\\\\<>]+|https://[^\\s\"\\\\<>]+");
  private static final Pattern SERVICE = Pattern.compile("(\\*\\.)?[a-z0-9.-]+(:[1-9][0-9]{0,4})?");
  private static final int MAX_ADDRESS = 1024;
  private static final int HTTPS = 443;

  public WebPushProperties {
    services = List.copyOf(services);
    if (!contact.isEmpty() && !CONTACT.matcher(contact).matches()) {
      throw new InvalidSettingException(
          "web-push.contact", "must be an address such as mailto:operator@example.org");
    }
    for (String service : services) {
      if (!SERVICE.matcher(service).matches()) {
        throw new InvalidSettingException(
            "web-push.services",
            "must have lower-case host names such as push.example.org or *.example.org:8443, not"
                + " \"%s\"".formatted(service));
      }
    }
  }

  public boolean isOn() {
    return !contact.isEmpty();
  }

  /** Whether an address that a browser gave may be requested. */
  public boolean permits(URI address) {
    String host = address.getHost();
    if (!"https".equals(address.getScheme())
        || host == null
        || address.getRawUserInfo() != null
        || address.getRawFragment() != null
        || address.toString().length() > MAX_ADDRESS) {
      return false;
    }
    int port = address.getPort() < 0 ? HTTPS : address.getPort();
    String named = host.toLowerCase(Locale.ROOT) + (port == HTTPS ? "" : ":" + port);
    return services.stream()
        .anyMatch(
            service ->
                service.startsWith("*.")
                    ? named.endsWith(service.substring(1)) && named.length() > service.length() - 1
                    : named.equals(service));
  }
}
