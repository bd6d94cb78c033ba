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
 * @param enabled false: nothing is sent to it
 * @param url {@code mqtt://HOST} or {@code mqtts://HOST}, with a port or without
 * @param username empty: none
 * @param passwordFile a file with the password; only its owner may read it
 * @param ca a PEM file with the authorities that may have issued the broker's certificate; empty:
 *     those of Java
 * @param certificate a PEM file with the gateway's certificate for the broker; empty: none
 * @param key a PEM file with its key; only its owner may read it
 * @param clientId identifier of the session, of Sparkplug's edge node too; empty: {@code vigil-}
 *     and the broker's name
 * @param prefix first levels of all topics; the group of Sparkplug's edge node
 * @param form of values
 * @param primaryHost id of Sparkplug's primary host, without which nothing is sent; empty: none
 * @param domains names of the domains whose endpoints are published, {@code -} for the unnamed one;
 *     empty: all
 * @param replay whether a new broker gets the values that the store keeps already
 * @param commands whether signed commands are taken from the broker
 * @param discovery first level of the topics of Home Assistant's discovery; empty: none
 * @param switchKeyFile a file with a commander's private JWK, with which the gateway signs what
 *     Home Assistant's switches ask for; only its owner may read it. Empty: there are no switches
 * @param switchDomains names of the domains whose actuators become switches
 * @param switchPaths paths of resources in these domains that become switches although their
 *     registration does not tell that they take commands
 * @param switchExpires time after which an endpoint that slept no longer gets the command
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
    /** The signed object as the endpoint made it, which receivers can verify. */
    JWS,
    /** SenML in JSON, resolved: with full names and absolute times. */
    SENML,
    /** The last record's value as text. */
    PLAIN,
    /** Payloads of Sparkplug B, on its topics. */
    SPARKPLUG_B
  }

  public MqttProperties {
    domains = List.copyOf(domains);
    switchDomains = List.copyOf(switchDomains);
    switchPaths = List.copyOf(switchPaths);
  }

  /**
   * Checks the settings that depend on one another.
   *
   * @param property the name under which these settings stand
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
          "takes an address such as mqtts://broker.example or mqtt://[::1]:1883");
    }
    requireLevels(property + ".prefix", prefix);
    if (prefix.isEmpty()) {
      throw new InvalidSettingException(property + ".prefix", "must name a topic, such as vigil");
    }
    requireLevels(property + ".discovery", discovery);
    if (!discovery.isEmpty() && (form == Form.JWS || form == Form.SPARKPLUG_B)) {
      throw new InvalidSettingException(
          property + ".discovery",
          "needs the form senml or plain: Home Assistant does not read the other ones");
    }
    if (form == Form.SPARKPLUG_B) {
      requireEdgeNode(property);
    } else if (!primaryHost.isEmpty()) {
      throw new InvalidSettingException(
          property + ".primary-host", "is Sparkplug's: it needs the form sparkplug-b");
    }
    requireSwitches(property);
    if (!isSecure() && (!ca.isEmpty() || !certificate.isEmpty() || !key.isEmpty())) {
      throw new InvalidSettingException(
          property + ".url", "must begin with mqtts:// where certificates are set");
    }
    if (!passwordFile.isEmpty() && username.isEmpty()) {
      throw new InvalidSettingException(
          property + ".username", "must be set where a password file is");
    }
  }

  private void requireEdgeNode(String property) {
    requireLevels(property + ".primary-host", primaryHost);
    if (prefix.contains("/")) {
      throw new InvalidSettingException(
          property + ".prefix", "is Sparkplug's group, which is one level, such as vigil");
    }
    if (commands) {
      throw new InvalidSettingException(
          property + ".commands",
          "needs another form than sparkplug-b: name the broker a second time for commands");
    }
  }

  private void requireSwitches(String property) {
    if (switchKeyFile.isEmpty() != switchDomains.isEmpty()) {
      throw new InvalidSettingException(
          property + ".switch-domains", "and switch-key-file must be set both, or neither");
    }
    if (!switchKeyFile.isEmpty() && discovery.isEmpty()) {
      throw new InvalidSettingException(
          property + ".discovery", "must be homeassistant where switches are set");
    }
    if (!switchExpires.isPositive()) {
      throw new InvalidSettingException(
          property + ".switch-expires", "takes a time such as 10m or 1h");
    }
  }

  private static void requireLevels(String property, String topic) {
    if (topic.startsWith("$")
        || topic.startsWith("/")
        || topic.endsWith("/")
        || topic.length() > 128
        || topic.chars().anyMatch(c -> c == '+' || c == '#' || c < ' ')) {
      throw new InvalidSettingException(
          property, "takes levels of a topic such as vigil or site/vigil, without + # and $");
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
   * The client identifier at the broker.
   *
   * @param name of the broker in the settings
   */
  public String clientIdOf(String name) {
    return clientId.isEmpty() ? "vigil-" + name : clientId;
  }
}
