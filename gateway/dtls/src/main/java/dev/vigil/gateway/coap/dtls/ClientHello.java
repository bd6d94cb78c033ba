package dev.vigil.gateway.coap.dtls;

import java.net.InetAddress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The parts of a ClientHello (RFC 6347 section 4.2.1) that Scandium does not expose.
 *
 * @param literalNameAt offset of the type of a server_name extension that holds an IPv6 address, or
 *     {@link #NOWHERE}. RFC 6066 section 3 forbids such a name, but some clients send it
 * @param clientTypes certificate types that the client can send (RFC 7250)
 * @param serverTypes certificate types that the client accepts from the server (RFC 7250)
 */
record ClientHello(int literalNameAt, Types clientTypes, Types serverTypes) {
  static final int NOWHERE = -1;

  private static final int HANDSHAKE_HEADER = 12;
  private static final int VERSION_AND_RANDOM = 34;
  private static final int SERVER_NAME = 0;
  private static final int CLIENT_CERTIFICATE_TYPE = 19;
  private static final int SERVER_CERTIFICATE_TYPE = 20;
  private static final byte RAW_PUBLIC_KEY = 2;

  /** Reserved for private use (RFC 8446 section 11): no extension will ever have this type. */
  private static final int UNKNOWN_TYPE = 0xff7e;

  /**
   * Certificate types in order of preference.
   *
   * @param first offset of the first type
   * @param rawKey offset of the type "raw public key", or {@link #NOWHERE}
   */
  private record Types(int first, int rawKey) {
    static final Types NONE = new Types(NOWHERE, NOWHERE);

    boolean preferRawKey() {
      return rawKey != NOWHERE && rawKey == first;
    }
  }

  /**
   * @param handshake the fragment of a record
   * @return empty when the fragment does not begin with a whole and well-formed ClientHello;
   *     Scandium reports malformed ones
   */
  static Optional<ClientHello> read(byte[] handshake) {
    try {
      ByteBuffer in = ByteBuffer.wrap(handshake);
      skip(in, HANDSHAKE_HEADER + VERSION_AND_RANDOM);
      skip(in, octet(in)); // session id
      skip(in, octet(in)); // cookie
      skip(in, number(in)); // cipher suites
      skip(in, octet(in)); // compression methods
      in.limit(number(in) + in.position());
      return Optional.of(extensions(in));
    } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static ClientHello extensions(ByteBuffer in) {
    int literalNameAt = NOWHERE;
    Types clientTypes = Types.NONE;
    Types serverTypes = Types.NONE;
    while (in.hasRemaining()) {
      int at = in.position();
      int type = number(in);
      int end = number(in) + in.position();
      if (type == SERVER_NAME && holdsAddress(in)) {
        literalNameAt = at;
      } else if (type == CLIENT_CERTIFICATE_TYPE) {
        clientTypes = types(in);
      } else if (type == SERVER_CERTIFICATE_TYPE) {
        serverTypes = types(in);
      }
      in.position(end);
    }
    return new ClientHello(literalNameAt, clientTypes, serverTypes);
  }

  private static boolean holdsAddress(ByteBuffer in) {
    skip(in, 2 + 1); // length of the list, type of the first name
    byte[] name = new byte[number(in)];
    in.get(name);
    String text = new String(name, StandardCharsets.ISO_8859_1);
    try {
      return text.indexOf(':') >= 0 && InetAddress.ofLiteral(text).getAddress().length > 4;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Types types(ByteBuffer in) {
    int first = in.position() + 1;
    int rawKey = NOWHERE;
    for (int left = octet(in); left > 0; left--) {
      if (in.get() == RAW_PUBLIC_KEY) {
        rawKey = in.position() - 1;
      }
    }
    return new Types(first, rawKey);
  }

  /**
   * Whether the server should send its raw public key. It should if the client prefers one. It also
   * should if the client accepts one and has no certificate itself: such a client hardly has
   * authorities to check a certificate with.
   */
  boolean wantsRawKey() {
    return serverTypes.preferRawKey()
        || serverTypes.rawKey() != NOWHERE && clientTypes.preferRawKey();
  }

  /** Rewrites a ClientHello so that Scandium handles it as intended; the length does not change. */
  void adapt(byte[] handshake) {
    if (literalNameAt != NOWHERE) {
      handshake[literalNameAt] = (byte) (UNKNOWN_TYPE >> 8);
      handshake[literalNameAt + 1] = (byte) UNKNOWN_TYPE;
    }
    if (wantsRawKey()) {
      // Scandium uses the first type that it supports.
      handshake[serverTypes.rawKey()] = handshake[serverTypes.first()];
      handshake[serverTypes.first()] = RAW_PUBLIC_KEY;
    }
  }

  private static int octet(ByteBuffer in) {
    return in.get() & 0xff;
  }

  private static int number(ByteBuffer in) {
    return in.getShort() & 0xffff;
  }

  private static void skip(ByteBuffer in, int octets) {
    in.position(in.position() + octets);
  }
}
