package dev.vigil.gateway.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.SignatureAlgorithm;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Endpoints with their keys, and what they send, signed ahead of the measurement. */
public final class BenchMotes {
  static final String MOTE = "mote-";
  private static final byte[] SENML =
      "[{\"bn\":\"urn:dev:mac:0200000000000001_\",\"n\":\"temp\",\"u\":\"Cel\",\"v\":21.5}]"
          .getBytes(UTF_8);
  private static final byte[] LINKS =
      "</temp>;rt=\"temperature\",</load>;rt=\"load\"".getBytes(UTF_8);

  private final String prefix;
  private final List<PrivateKey> secrets = new ArrayList<>();
  private final List<Jwk> keys = new ArrayList<>();
  private final KeyPairGenerator generator;
  private final Signature signature;

  /**
   * @param prefix of the endpoint names, which a number follows
   */
  BenchMotes(String prefix) {
    this.prefix = prefix;
    try {
      generator = KeyPairGenerator.getInstance("EC", AmazonCorrettoCryptoProvider.INSTANCE);
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      signature =
          Signature.getInstance(
              "SHA256withECDSAinP1363Format", AmazonCorrettoCryptoProvider.INSTANCE);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public BenchMotes(int count) {
    this(MOTE);
    add(count);
  }

  void add(int count) {
    for (int i = 0; i < count; i++) {
      KeyPair pair = generator.generateKeyPair();
      secrets.add(pair.getPrivate());
      keys.add(new Jwk(SignatureAlgorithm.ES256, point((ECPublicKey) pair.getPublic())));
    }
  }

  private static byte[] point(ECPublicKey key) {
    byte[] point = new byte[64];
    put(key.getW().getAffineX(), point, 32);
    put(key.getW().getAffineY(), point, 64);
    return point;
  }

  private static void put(BigInteger value, byte[] into, int end) {
    byte[] octets = value.toByteArray();
    int length = Math.min(32, octets.length);
    System.arraycopy(octets, octets.length - length, into, end - length, length);
  }

  public byte[] registration(int mote) {
    String header =
        "{\"alg\":\"ES256\",\"typ\":\"vigil-reg\",\"cty\":\"application/link-format\",\"jwk\":%s,\"ep\":\"%s%d\",\"seq\":1}"
            .formatted(keys.get(mote).json(), prefix, mote);
    return CoapLoad.message(
        2, CoapLoad.options(List.of("ms"), 65100, List.of()), jws(mote, header, LINKS));
  }

  /**
   * @param path {@code temp} or {@code load}
   */
  public byte[] update(int mote, String id, String path, long seq) {
    String header =
        "{\"alg\":\"ES256\",\"cty\":\"application/senml+json\",\"kid\":\"%s\",\"res\":\"%s\",\"seq\":%d}"
            .formatted(keys.get(mote).thumbprint(), path, seq);
    return CoapLoad.message(
        3, CoapLoad.options(List.of("ms", id, path), 65100, List.of()), jws(mote, header, SENML));
  }

  private byte[] jws(int mote, String header, byte[] payload) {
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String signed =
        base64.encodeToString(header.getBytes(UTF_8)) + "." + base64.encodeToString(payload);
    try {
      signature.initSign(secrets.get(mote));
      signature.update(signed.getBytes(UTF_8));
      return (signed + "." + base64.encodeToString(signature.sign())).getBytes(UTF_8);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
