package dev.vigil.gateway.cluster;

import dev.vigil.gateway.settings.HostName;
import dev.vigil.gateway.settings.InvalidSettingException;
import dev.vigil.gateway.settings.SettingChecks;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The NATS cluster that several gateways share.
 *
 * @param servers URLs of NATS servers, such as {@code nats://nats-1:4222} or {@code tls://...};
 *     empty: the gateway is alone and keeps its state in SQLite
 * @param stream the name of the JetStream stream
 * @param name the name of this gateway, which no other gateway of the cluster has; empty: the name
 *     of the host
 * @param credentials a NATS credentials file, or a file with the seed of an nkey; only its owner
 *     may read it
 * @param ca a PEM file with the authorities that may issue the servers' certificates; empty: Java's
 *     authorities
 * @param certificate a PEM file with the certificate that this gateway shows to the servers
 * @param key a PEM file with the key of that certificate; only its owner may read it
 * @param adopt whether this gateway continues with a stream that was made anew, and stores in it
 *     what it has
 * @param snapshots for gateways that start without a replica, and what stays in the stream
 * @param allowWeakStore whether a cluster is used that can lose acknowledged updates
 * @param coapsAddress the address at which the other gateways reach this one with records of its
 *     CoAPS sessions, {@code HOST} or {@code HOST:PORT}; empty: no gateway forwards records to this
 *     one, and this one forwards none
 */
public record ClusterProperties(
    @DefaultValue List<String> servers,
    @DefaultValue("vigil") String stream,
    @DefaultValue("") String name,
    @DefaultValue("") String credentials,
    @DefaultValue("") String ca,
    @DefaultValue("") String certificate,
    @DefaultValue("") String key,
    @DefaultValue("false") boolean adopt,
    @DefaultValue SnapshotProperties snapshots,
    @DefaultValue("false") boolean allowWeakStore,
    @DefaultValue("") String coapsAddress) {
  private static final Pattern URL = Pattern.compile("(nats|tls)://[^/@?#\\s]+");
  private static final Pattern STREAM = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private static final Pattern COAPS =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([A-Za-z0-9._-]+))(?::([0-9]{1,5}))?");

  private static final int COAPS_PORT = 5785;

  /** A gateway without a cluster. */
  public static final ClusterProperties NONE =
      new ClusterProperties(
          List.of(), "vigil", "", "", "", "", "", false, SnapshotProperties.DEFAULT, false, "");

  public ClusterProperties {
    servers = List.copyOf(servers);
    for (String server : servers) {
      if (!URL.matcher(server).matches()) {
        throw new InvalidSettingException(
            "cluster.servers",
            "takes URLs such as nats://nats-1:4222 or tls://nats-1:4222 without user and password, not \"%s\""
                .formatted(withoutUser(server)));
      }
    }
    if (!STREAM.matcher(stream).matches()) {
      throw new InvalidSettingException(
          "cluster.stream",
          "takes 1 to 64 letters, digits, hyphens and underscores, not \"%s\"".formatted(stream));
    }
    if (!name.isEmpty() && !NAME.matcher(name).matches()) {
      throw new InvalidSettingException(
          "cluster.name",
          "takes 1 to 64 letters, digits, dots, hyphens and underscores, not \"%s\""
              .formatted(name));
    }
    if (!coapsAddress.isEmpty()) {
      Matcher parts = COAPS.matcher(coapsAddress);
      if (!parts.matches()) {
        throw new InvalidSettingException(
            "cluster.coaps-address",
            "takes an address and perhaps a port, such as 192.0.2.1 or [2001:db8::1]:5785, not \"%s\""
                .formatted(coapsAddress));
      }
      if (parts.group(3) != null) {
        SettingChecks.port("cluster.coaps-address", Integer.parseInt(parts.group(3)));
      }
    }
  }

  /** A URL with a password must not appear in a message. */
  private static String withoutUser(String url) {
    return url.replaceFirst("//.*@", "//...@");
  }

  /** Whether this gateway shares its state with others. */
  public boolean isShared() {
    return !servers.isEmpty();
  }

  /** The name of this gateway in the cluster. */
  public String gateway() {
    if (!name.isEmpty()) {
      return name;
    }
    return HostName.read()
        .orElseThrow(
            () ->
                new InvalidSettingException(
                    "cluster.name", "must be set, because the name of this host cannot be read"));
  }

  /** The setting {@code coaps-address}, not resolved; empty if it is not set. */
  public Optional<InetSocketAddress> coapsSocket() {
    Matcher parts = COAPS.matcher(coapsAddress);
    if (!parts.matches()) {
      return Optional.empty();
    }
    String host = parts.group(1) == null ? parts.group(2) : parts.group(1);
    int port = parts.group(3) == null ? COAPS_PORT : Integer.parseInt(parts.group(3));
    return Optional.of(InetSocketAddress.createUnresolved(host, port));
  }
}
