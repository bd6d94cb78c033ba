package dev.vigil.gateway.passkeys;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** An authenticator with one P-256 key and a browser that can lie. */
public final class SoftAuthenticator {
  private static final int USER_PRESENT = 0x01;
  private static final int USER_VERIFIED = 0x04;
  private static final int ATTESTED = 0x40;
  private static final int COORDINATE = 32;
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private final KeyPair key = newKey();
  private final byte[] id = new byte[40];

  /** The handle from the registration. */
  private String handle = "";

  public String origin;
  public String host;

  /** Counts signatures; 0 stays 0, as with passkeys that are synchronised. */
  public int counter = 1;

  public boolean userVerified = true;

  public SoftAuthenticator(String origin, String host) {
    this.origin = origin;
    this.host = host;
    byte[] public_ = key.getPublic().getEncoded();
    System.arraycopy(public_, public_.length - id.length, id, 0, id.length);
  }

  private static KeyPair newKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public NewPasskeyJson create(String challenge, String userHandle) {
    handle = userHandle;
    byte[] data = authenticatorData(ATTESTED, attestedCredential());
    ByteArrayOutputStream object = new ByteArrayOutputStream();
    // {"fmt": "none", "attStmt": {}, "authData": h'...'}
    object.writeBytes(
        HexFormat.of().parseHex("a363666d74646e6f6e656761747453746d74a068617574684461746159"));
    object.writeBytes(ByteBuffer.allocate(2).putShort((short) data.length).array());
    object.writeBytes(data);
    return new NewPasskeyJson(
        null,
        ENCODER.encodeToString(clientData("webauthn.create", challenge)),
        ENCODER.encodeToString(object.toByteArray()),
        List.of("internal"));
  }

  public PasskeyAnswerJson get(String challenge) {
    byte[] client = clientData("webauthn.get", challenge);
    byte[] data = authenticatorData(0, new byte[0]);
    return new PasskeyAnswerJson(
        ENCODER.encodeToString(id),
        ENCODER.encodeToString(client),
        ENCODER.encodeToString(data),
        ENCODER.encodeToString(signature(data, client)),
        handle);
  }

  private byte[] signature(byte[] data, byte[] client) {
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(key.getPrivate());
      signature.update(data);
      signature.update(sha256(client));
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] clientData(String type, String challenge) {
    return String.format(
            Locale.ROOT,
            "{\"type\":\"%s\",\"challenge\":\"%s\",\"origin\":\"%s\",\"crossOrigin\":false}",
            type,
            challenge,
            origin)
        .getBytes(StandardCharsets.UTF_8);
  }

  private byte[] authenticatorData(int flags, byte[] rest) {
    int all = flags | USER_PRESENT | (userVerified ? USER_VERIFIED : 0);
    int count = counter == 0 ? 0 : counter++;
    return ByteBuffer.allocate(COORDINATE + 1 + Integer.BYTES + rest.length)
        .put(sha256(host.getBytes(StandardCharsets.UTF_8)))
        .put((byte) all)
        .putInt(count)
        .put(rest)
        .array();
  }

  private byte[] attestedCredential() {
    ByteArrayOutputStream credential = new ByteArrayOutputStream();
    credential.writeBytes(new byte[16]); // AAGUID
    credential.writeBytes(ByteBuffer.allocate(2).putShort((short) id.length).array());
    credential.writeBytes(id);
    ECPublicKey point = (ECPublicKey) key.getPublic();
    // {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053)
    credential.writeBytes(HexFormat.of().parseHex("a5010203262001215820"));
    credential.writeBytes(coordinate(point.getW().getAffineX().toByteArray()));
    credential.writeBytes(HexFormat.of().parseHex("225820"));
    credential.writeBytes(coordinate(point.getW().getAffineY().toByteArray()));
    return credential.toByteArray();
  }

  private static byte[] coordinate(byte[] number) {
    byte[] fixed = new byte[COORDINATE];
    int length = Math.min(number.length, COORDINATE);
    System.arraycopy(number, number.length - length, fixed, COORDINATE - length, length);
    return fixed;
  }

  private static byte[] sha256(byte[] octets) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(octets);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
