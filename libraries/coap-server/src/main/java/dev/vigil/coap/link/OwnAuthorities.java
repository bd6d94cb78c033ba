package dev.vigil.coap.link;

import java.net.InetAddress;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The authorities under which this server is reached. Links that name one of them speak of its own
 * resources, whatever the spelling.
 *
 * @param isOwnAddress whether an address is one of this machine's
 * @param names further host names, in lower case
 * @param ports the ports that the server listens on, of all schemes
 */
public record OwnAuthorities(
    Predicate<InetAddress> isOwnAddress, Set<String> names, Supplier<Set<Integer>> ports) {
  /** A server that knows none of its authorities but those that requests name. */
  public static final OwnAuthorities UNKNOWN =
      new OwnAuthorities(address -> false, Set.of(), Set::of);

  public OwnAuthorities {
    names = Set.copyOf(names);
  }

  /**
   * Whether a URI names this server.
   *
   * @param requested scheme and authority by which a client reached the server: they are the
   *     server's too, for this client
   */
  public boolean contains(String uri, String requested) {
    UriAuthority authority = UriAuthority.of(uri);
    return authority != null && (isOwn(authority) || isSame(authority, UriAuthority.of(requested)));
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

  private boolean isSame(UriAuthority authority, @Nullable UriAuthority requested) {
    if (requested == null || !authority.host().equals(requested.host())) {
      return false;
    }
    InetAddress address = authority.address();
    boolean sameHost =
        address == null ? requested.address() == null : address.equals(requested.address());
    return sameHost && (authority.port() == requested.port() || isOwnPort(authority.port()));
  }
}
