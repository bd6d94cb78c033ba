package dev.vigil.coap.exchange;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The sender of a request.
 *
 * @param source the source address of the request
 * @param verified whether the source address is known to be the sender's own: by DTLS, TLS or TCP,
 *     by a recent Echo option (RFC 9175), or because nobody else can send from the address.
 *     Responses to unverified sources are kept small, against amplification (RFC 7252 section 11.3)
 * @param trusted whether the address lies in a trusted network, whose members are counted by
 *     address, and by radio neighbour if there is one
 * @param secure whether the request was encrypted
 * @param identity the identity that the sender proved
 * @param neighbour a number that identifies the radio neighbour that carries the sender's packets;
 *     empty outside a radio network
 * @param associated whether an IPsec association with the source address authenticated the packet
 */
public record Caller(
    InetSocketAddress source,
    boolean verified,
    boolean trusted,
    boolean secure,
    Identity identity,
    OptionalLong neighbour,
    boolean associated) {

  /** A caller without an IPsec association. */
  public Caller(
      InetSocketAddress source,
      boolean verified,
      boolean trusted,
      boolean secure,
      Identity identity,
      OptionalLong neighbour) {
    this(source, verified, trusted, secure, identity, neighbour, false);
  }

  /** A caller outside any radio network. */
  public Caller(
      InetSocketAddress source,
      boolean verified,
      boolean trusted,
      boolean secure,
      Identity identity) {
    this(source, verified, trusted, secure, identity, OptionalLong.empty());
  }

  /** A caller outside the trusted networks. */
  public Caller(InetSocketAddress source, boolean verified, boolean secure, Identity identity) {
    this(source, verified, false, secure, identity);
  }

  /** A proven identity. */
  public sealed interface Identity {}

  public record Anonymous() implements Identity {}

  /** A DTLS pre-shared key identity. */
  public record PreSharedKey(String name) implements Identity {}

  /** A DTLS raw public key (RFC 7250), identified by its RFC 7638 thumbprint. */
  public record RawKey(String thumbprint) implements Identity {}

  /**
   * A DTLS or TLS certificate of a trusted authority.
   *
   * @param authority the issuer's distinguished name; names of different authorities are different
   *     names (RFC 9176 section 7.5)
   * @param names the common name and all subject alternative names, for instance {@code CN:node-7}
   *     and {@code DNS:node-7.example.com}
   */
  public record Certificate(String authority, Set<String> names) implements Identity {
    public Certificate {
      names = Set.copyOf(names);
    }
  }

  /** A user account of the server, with its roles. */
  public record Account(String name, Set<String> roles) implements Identity {}

  /**
   * Whoever has a link that shows one object. A link has no rights of its own: only the feature
   * that made it shows the object, with the present rights of its maker.
   *
   * @param object id of the object
   * @param name of the link
   * @param maker the account that made the link
   */
  public record Link(String object, String name, Account maker) implements Identity {}

  /** A message broker from the settings; the broker does not identify the publisher. */
  public record Broker(String name) implements Identity {}

  /**
   * The identity as settings and audit logs write it: {@code psk:NAME}, {@code rpk:THUMBPRINT},
   * {@code account:NAME}, {@code link:NAME}, {@code mqtt:NAME}, and one {@code cert:NAME} for each
   * name of a certificate, for instance {@code cert:CN:node-7}. Empty for an anonymous caller.
   * Settings cannot name links.
   */
  public List<String> labels() {
    return switch (identity) {
      case Anonymous() -> List.of();
      case PreSharedKey(String name) -> List.of("psk:" + name);
      case RawKey(String thumbprint) -> List.of("rpk:" + thumbprint);
      case Certificate(String authority, Set<String> names) ->
          names.stream().sorted().map(name -> "cert:" + name).toList();
      case Account(String name, Set<String> roles) -> List.of("account:" + name);
      case Link(String object, String name, Account maker) -> List.of("link:" + name);
      case Broker(String name) -> List.of("mqtt:" + name);
    };
  }

  /**
   * The first label; empty for an anonymous caller. For a certificate it is the common name if
   * there is one.
   */
  public String label() {
    List<String> labels = labels();
    return labels.isEmpty() ? "" : labels.getFirst();
  }

  /** The same sender with another identity. */
  public Caller withIdentity(Identity other) {
    return new Caller(source, verified, trusted, secure, other, neighbour, associated);
  }

  public static Caller anonymous(InetSocketAddress source, boolean verified) {
    return new Caller(source, verified, false, new Anonymous());
  }
}
