package dev.vigil.gateway.coap.dtls;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Principal;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.californium.elements.auth.PreSharedKeyIdentity;
import org.eclipse.californium.elements.auth.X509CertPath;
import org.eclipse.californium.elements.util.DataStreamReader;
import org.eclipse.californium.elements.util.DatagramWriter;
import org.eclipse.californium.elements.util.SerializationUtil;
import org.jspecify.annotations.Nullable;

/**
 * Digests of the keys by which the settings let clients in. A session is restored only if the
 * client's key is still the one of its handshake: an operator who removes a key and restarts the
 * gateway ends the client's sessions.
 */
final class ClientKeys {
  private static final int VERSION = 1;
  private static final int COUNT_BITS = 32;

  private final Map<String, byte[]> shared;
  private final byte[] authorities;

  private ClientKeys(Map<String, byte[]> shared, byte[] authorities) {
    this.shared = shared;
    this.authorities = authorities;
  }

  /**
   * @param sharedKeys pre-shared keys by identity
   * @param authorities issuers of the clients' certificates
   */
  static ClientKeys of(Map<String, byte[]> sharedKeys, List<X509Certificate> authorities) {
    Map<String, byte[]> digests = new HashMap<>();
    sharedKeys.forEach((identity, key) -> digests.put(identity, sha256().digest(key)));
    MessageDigest all = sha256();
    try {
      for (X509Certificate authority : authorities) {
        all.update(authority.getEncoded());
      }
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("an authority that was read cannot be encoded", e);
    }
    return new ClientKeys(digests, all.digest());
  }

  /** The digests are secrets: a short key could be guessed from its digest. */
  void write(DatagramWriter writer) {
    writer.writeByte((byte) VERSION);
    writer.writeVarBytes(authorities, Byte.SIZE);
    writer.write(shared.size(), COUNT_BITS);
    shared.forEach(
        (identity, digest) -> {
          SerializationUtil.write(writer, identity, Short.SIZE);
          writer.writeVarBytes(digest, Byte.SIZE);
        });
  }

  /**
   * @throws IllegalArgumentException when another version wrote them
   */
  static ClientKeys read(DataStreamReader reader) {
    if (reader.readNextByte() != VERSION) {
      throw new IllegalArgumentException("another version wrote them");
    }
    byte[] authorities = reader.readVarBytes(Byte.SIZE);
    Map<String, byte[]> shared = new HashMap<>();
    for (int left = reader.read(COUNT_BITS); left > 0; left--) {
      shared.put(
          new String(reader.readVarBytes(Short.SIZE), StandardCharsets.UTF_8),
          reader.readVarBytes(Byte.SIZE));
    }
    return new ClientKeys(shared, authorities);
  }

  /**
   * Whether a client could shake hands again and be the same client.
   *
   * @param identity of its session; a raw public key proves only itself, so it always may
   * @param then the keys at the time of the session
   */
  boolean stillAdmit(@Nullable Principal identity, ClientKeys then, Instant now) {
    return switch (identity) {
      case PreSharedKeyIdentity client -> {
        byte[] key = shared.get(client.getIdentity());
        yield key != null && MessageDigest.isEqual(key, then.shared.get(client.getIdentity()));
      }
      case X509CertPath client ->
          MessageDigest.isEqual(authorities, then.authorities) && isValid(client, now);
      case null, default -> true;
    };
  }

  private static boolean isValid(X509CertPath client, Instant now) {
    try {
      for (Certificate one : client.getPath().getCertificates()) {
        ((X509Certificate) one).checkValidity(Date.from(now));
      }
      return true;
    } catch (CertificateException e) {
      return false;
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the JDK lacks SHA-256", e);
    }
  }
}
