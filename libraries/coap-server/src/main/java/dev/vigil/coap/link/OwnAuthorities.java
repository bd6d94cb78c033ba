package dev.vigil.coap.link;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The authorities under which this server is reached. Links that name one of them, in any spelling,
 * refer to this server's own resources.
 *
 * @param isOwnAddress whether an address is one of this machine's
 * @param names further host names, in lower case
 * @param ports the ports that the server listens on, of all schemes
 */
public record OwnAuthorities(
    Predicate<InetAddress> isOwnAddress, Set<String> names, Supplier<Set<Integer>> ports) {
  /** A server that knows only the authorities that requests name. */
  public static final OwnAuthorities UNKNOWN =
      new OwnAuthorities(address -> false, Set.of(), Set::of);

  public OwnAuthorities {
    names = Set.copyOf(names);
  }

  /**
   * Adds the authorities by which one client reached the server; for this client they also name the
   * server.
   *
   * @param requested schemes and authorities; others are ignored
   */
  public Seen seenAs(String... requested) {
    return new Seen(
        this, Arrays.stream(requested).map(UriAuthority::of).filter(Objects::nonNull).toList());
  }

  /** The server's authorities as one client knows them. */
  public static final class Seen {
    private final OwnAuthorities own;
    private final List<UriAuthority> requested;

    private Seen(OwnAuthorities own, List<UriAuthority> requested) {
      this.own = own;
      this.requested = requested;
    }

    /** Whether a URI names the server. */
    public boolean contains(String uri) {
      UriAuthority.Written written = UriAuthority.Written.of(uri);
      if (written == null || !couldBeOwnPort(written.port())) {
        return false;
      }
      UriAuthority authority = written.read();
      for (UriAuthority known : requested) {
        if (own.isSame(authority, known)) {
          return true;
        }
      }
      return own.isOwn(authority);
    }

    /**
     * The port is checked first, because few of the links that strangers register name a port of
     * the server.
     */
    private boolean couldBeOwnPort(int port) {
      for (UriAuthority known : requested) {
        if (port == known.port()) {
          return true;
        }
      }
      return own.isOwnPort(port);
    }
  }

  private boolean isOwn(UriAuthority authority) {
    InetAddress address = authority.address();
    boolean ownHost =
        address == null ? names.contains(authority.host()) : isOwnAddress.test(address);
    return ownHost && isOwnPort(authority.port());
  }

  private boolean isOwnPort(int port) {
    return port == UriAuthority.NO_PORT || ports.get().contains(port);
  }

  private boolean isSame(UriAuthority authority, UriAuthority requested) {
    if (!authority.host().equals(requested.host())) {
      return false;
    }
    InetAddress address = authority.address();
    boolean sameHost =
        address == null ? requested.address() == null : address.equals(requested.address());
    return sameHost && (authority.port() == requested.port() || isOwnPort(authority.port()));
  }
}
