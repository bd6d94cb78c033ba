package dev.vigil.gateway.northbound.webhook;

import dev.vigil.gateway.files.SecretFile;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Further headers of a webhook's requests. All count as secret, so none is shown or logged. */
final class WebhookHeaders {
  /** A token and a field value of RFC 9110. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}");

  private static final Pattern VALUE = Pattern.compile("[!-~]([ -~]{0,2046}[!-~])?");

  /** The gateway and its HTTP client set these themselves. */
  private static final Set<String> OWN =
      Set.of(
          "connection",
          "content-length",
          "content-type",
          "expect",
          "host",
          "transfer-encoding",
          "upgrade",
          "webhook-id",
          "webhook-signature",
          "webhook-timestamp");

  private static final Set<String> SECRET =
      Set.of("authorization", "cookie", "proxy-authorization");

  private final String property;
  private final Map<String, String> headers;
  private final Map<String, String> files;

  /**
   * @param property the prefix of the settings, for messages
   */
  WebhookHeaders(String property, WebhookProperties settings) {
    this.property = property;
    this.headers = settings.headers();
    this.files = settings.headerFiles();
  }

  static void require(String property, Map<String, String> headers, Map<String, String> files) {
    headers.forEach(
        (name, value) -> {
          requireName(property + ".headers", name);
          if (SECRET.contains(name.toLowerCase(Locale.ROOT))) {
            throw new InvalidSettingException(
                property + ".headers",
                "must not have " + name + ": put its value into header-files");
          }
          if (!VALUE.matcher(value).matches()) {
            throw new InvalidSettingException(
                property + ".headers", "must have printable ASCII characters as value of " + name);
          }
        });
    files.keySet().forEach(name -> requireName(property + ".header-files", name));
  }

  private static void requireName(String property, String name) {
    if (!NAME.matcher(name).matches() || OWN.contains(name.toLowerCase(Locale.ROOT))) {
      throw new InvalidSettingException(
          property, "must have names of headers that the gateway does not set itself");
    }
  }

  /**
   * Reads the secrets for each request, so that a new one needs no restart.
   *
   * @throws IOException with a message that begins with "cannot" and names the file
   */
  Map<String, String> read() throws IOException {
    Map<String, String> all = new TreeMap<>(headers);
    for (Map.Entry<String, String> file : files.entrySet()) {
      String setting = property + ".header-files." + file.getKey();
      String value = SecretFile.read(setting, "header", file.getValue());
      if (!VALUE.matcher(value).matches()) {
        throw new IOException(
            "cannot use the header in %s, which vigil.%s names: it must be one line of printable ASCII"
                .formatted(file.getValue(), setting));
      }
      all.put(file.getKey(), value);
    }
    return all;
  }
}
