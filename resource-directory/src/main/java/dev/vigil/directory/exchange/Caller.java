package dev.vigil.directory.exchange;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;

/**
 * Who asks.
 *
 * @param source where the request came from
 * @param verified whether that address was shown to be the caller's own: by DTLS, TLS or TCP, by an
 *     Echo (RFC 9175), or because it lies in a trusted network. Answers to others are kept small
 * @param secure whether the request came encrypted
 * @param identity what the caller proved about itself
 */
public record Caller(
    InetSocketAddress source, boolean verified, boolean secure, Identity identity) {

  /** What a caller proved about itself. */
  public sealed interface Identity {}

  public record Anonymous() implements Identity {}

  /** A DTLS pre-shared key identity. */
  public record PreSharedKey(String name) implements Identity {}

  /** A DTLS raw public key, by its RFC 7638 thumbprint. */
  public record RawKey(String thumbprint) implements Identity {}

  /**
   * A DTLS or TLS certificate that an authority of ours issued.
   *
   * @param authority the issuer's distinguished name: names are only its own (RFC 9176 section 7.5)
   * @param names the common name and all subject alternative names, for instance {@code CN:node-7}
   *     and {@code DNS:node-7.example.com}
   */
  public record Certificate(String authority, Set<String> names) implements Identity {
    public Certificate {
      names = Set.copyOf(names);
    }
  }

  /** An account of the gateway, with the roles it has. */
  public record Account(String name, Set<String> roles) implements Identity {}

  /**
   * Who it is, as settings and audit trails write it: {@code psk:NAME}, {@code rpk:THUMBPRINT},
   * {@code account:NAME}, and {@code cert:} with each name of a certificate, for instance {@code
   * cert:CN:node-7}. None for one that proved nothing.
   */
  public List<String> labels() {
    return switch (identity) {
      case Anonymous() -> List.of();
      case PreSharedKey(String name) -> List.of("psk:" + name);
      case RawKey(String thumbprint) -> List.of("rpk:" + thumbprint);
      case Certificate(String authority, Set<String> names) ->
          names.stream().sorted().map(name -> "cert:" + name).toList();
      case Account(String name, Set<String> roles) -> List.of("account:" + name);
    };
  }

  /** The first of its labels, which is the common name of a certificate that has one. */
  public String label() {
    List<String> labels = labels();
    return labels.isEmpty() ? "" : labels.getFirst();
  }

  public static Caller anonymous(InetSocketAddress source, boolean verified) {
    return new Caller(source, verified, false, new Anonymous());
  }
}
