package dev.vigil.gateway.northbound.mqtt;

import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An MQTT 5 broker.
 *
 * @param enabled false: the broker is not used
 * @param url {@code mqtt://HOST} or {@code mqtts://HOST}, with an optional port
 * @param username empty: no authentication
 * @param passwordFile a file with the password; only its owner may read the file
 * @param ca a PEM file with the authorities that may issue the broker's certificate; empty: Java's
 *     authorities
 * @param certificate a PEM file with the gateway's client certificate; empty: none
 * @param key a PEM file with the certificate's key; only its owner may read the file
 * @param clientId client identifier, also the id of Sparkplug's edge node; empty: {@code vigil-}
 *     and the broker's name
 * @param prefix first levels of all topics; for Sparkplug the group of the edge node
 * @param form of values
 * @param primaryHost id of Sparkplug's primary host; nothing is sent while it is offline; empty:
 *     none
 * @param domains names of the domains whose endpoints are published, {@code -} for the unnamed
 *     domain; empty: all domains
 * @param replay whether a new broker receives the values that the store already contains
 * @param commands whether signed commands from the broker are accepted
 * @param discovery first level of the topics of Home Assistant's discovery; empty: none
 * @param switchKeyFile a file with a commander's private JWK, with which the gateway signs commands
 *     of Home Assistant's switches; only its owner may read the file. Empty: no switches
 * @param switchDomains names of the domains whose actuators become switches
 * @param switchPaths paths of resources in these domains that also become switches, although their
 *     registration does not declare that they accept commands
 * @param switchExpires time after which a command for a sleeping endpoint expires
 */
public record MqttProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable URI url,
    @DefaultValue("") String username,
    @DefaultValue("") String passwordFile,
    @DefaultValue("") String ca,
    @DefaultValue("") String certificate,
    @DefaultValue("") String key,
    @DefaultValue("") String clientId,
    @DefaultValue("vigil") String prefix,
    @DefaultValue("senml") Form form,
    @DefaultValue("") String primaryHost,
    @DefaultValue List<String> domains,
    @DefaultValue("false") boolean replay,
    @DefaultValue("false") boolean commands,
    @DefaultValue("") String discovery,
    @DefaultValue("") String switchKeyFile,
    @DefaultValue List<String> switchDomains,
    @DefaultValue List<String> switchPaths,
    @DefaultValue("1h") Duration switchExpires) {
  private static final int PORT = 1883;
  private static final int SECURE_PORT = 8883;

  /** The form of a published value. */
  public enum Form {
    /** The endpoint's original signed object, which receivers can verify. */
    JWS,
    /** Resolved SenML in JSON, with full names and absolute times. */
    SENML,
    /** The value of the last record as text. */
    PLAIN,
    /** Sparkplug B payloads on Sparkplug topics. */
    SPARKPLUG_B
  }

  public MqttProperties {
    domains = List.copyOf(domains);
    switchDomains = List.copyOf(switchDomains);
    switchPaths = List.copyOf(switchPaths);
  }

  /**
   * Checks settings that depend on each other.
   *
   * @param property the prefix of these settings
   */
  public void require(String property) {
    URI broker = url;
    if (broker == null
        || broker.getHost() == null
        || !("mqtt".equals(broker.getScheme()) || "mqtts".equals(broker.getScheme()))
        || broker.getRawUserInfo() != null
        || !(broker.getRawPath().isEmpty() || broker.getRawPath().equals("/"))) {
      throw new InvalidSettingException(
          property + ".url",
          "must be an address such as mqtts://broker.example or mqtt://[::1]:1883");
    }
    requireLevels(property + ".prefix", prefix);
    if (prefix.isEmpty()) {
      throw new InvalidSettingException(property + ".prefix", "must name a topic, such as vigil");
    }
    requireLevels(property + ".discovery", discovery);
    if (!discovery.isEmpty() && (form == Form.JWS || form == Form.SPARKPLUG_B)) {
      throw new InvalidSettingException(
          property + ".discovery",
          "needs the form senml or plain, because Home Assistant does not read the other forms");
    }
    if (form == Form.SPARKPLUG_B) {
      requireEdgeNode(property);
    } else if (!primaryHost.isEmpty()) {
      throw new InvalidSettingException(
          property + ".primary-host", "is only for Sparkplug: it needs the form sparkplug-b");
    }
    requireSwitches(property);
    if (!isSecure() && (!ca.isEmpty() || !certificate.isEmpty() || !key.isEmpty())) {
      throw new InvalidSettingException(
          property + ".url", "must begin with mqtts:// when ca, certificate or key is set");
    }
    if (!passwordFile.isEmpty() && username.isEmpty()) {
      throw new InvalidSettingException(
          property + ".username", "must be set when password-file is set");
    }
  }

  private void requireEdgeNode(String property) {
    requireLevels(property + ".primary-host", primaryHost);
    if (prefix.contains("/")) {
      throw new InvalidSettingException(
          property + ".prefix", "is Sparkplug's group and must be one level, such as vigil");
    }
    if (commands) {
      throw new InvalidSettingException(
          property + ".commands",
          "needs another form than sparkplug-b: add the broker a second time for commands");
    }
  }

  private void requireSwitches(String property) {
    if (switchKeyFile.isEmpty() != switchDomains.isEmpty()) {
      throw new InvalidSettingException(
          property + ".switch-domains", "and switch-key-file must be set together");
    }
    if (!switchKeyFile.isEmpty() && discovery.isEmpty()) {
      throw new InvalidSettingException(
          property + ".discovery", "must be homeassistant when switches are set");
    }
    if (!switchExpires.isPositive()) {
      throw new InvalidSettingException(
          property + ".switch-expires", "must be a time such as 10m or 1h");
    }
  }

  private static void requireLevels(String property, String topic) {
    if (topic.startsWith("$")
        || topic.startsWith("/")
        || topic.endsWith("/")
        || topic.length() > 128
        || topic.chars().anyMatch(c -> c == '+' || c == '#' || c < ' ')) {
      throw new InvalidSettingException(
          property, "must be levels of a topic such as vigil or site/vigil, without + # and $");
    }
  }

  public boolean isSecure() {
    return url != null && "mqtts".equals(url.getScheme());
  }

  public String host() {
    String host = url == null || url.getHost() == null ? "" : url.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  public int port() {
    int given = url == null ? -1 : url.getPort();
    return given >= 0 ? given : isSecure() ? SECURE_PORT : PORT;
  }

  /** Whether actuators of a domain become switches. */
  public boolean switches(String domain) {
    return !switchDomains.isEmpty() && DomainNames.isIn(switchDomains, domain);
  }

  /** Whether endpoints of a domain are published. */
  public boolean includes(String domain) {
    return DomainNames.isIn(domains, domain);
  }

  /**
   * The client identifier.
   *
   * @param name of the broker in the settings
   */
  public String clientIdOf(String name) {
    return clientId.isEmpty() ? "vigil-" + name : clientId;
  }
}
