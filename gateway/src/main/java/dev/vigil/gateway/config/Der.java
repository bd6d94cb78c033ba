package dev.vigil.gateway.config;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** As much DER as it takes to put a bare key between the covers that Java reads. */
final class Der {
  private static final int SEQUENCE = 0x30;
  private static final int OCTET_STRING = 0x04;
  private static final byte[] VERSION_0 = {2, 1, 0};

  private Der() {}

  /**
   * A PrivateKeyInfo (RFC 5208) of a key in the older forms that name no algorithm at their outside
   * (SEC 1, PKCS #1).
   *
   * @param publicKeyInfo the public key's SubjectPublicKeyInfo, which names the same algorithm
   * @throws IllegalArgumentException when that is none
   */
  static byte[] privateKeyInfo(byte[] key, byte[] publicKeyInfo) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(VERSION_0);
    body.writeBytes(algorithm(publicKeyInfo));
    body.writeBytes(wrapped(OCTET_STRING, key));
    return wrapped(SEQUENCE, body.toByteArray());
  }

  /** The AlgorithmIdentifier, with its own tag and length. */
  private static byte[] algorithm(byte[] publicKeyInfo) {
    try {
      ByteBuffer in = ByteBuffer.wrap(publicKeyInfo);
      enterSequence(in);
      int start = in.position();
      int length = enterSequence(in);
      byte[] algorithm = new byte[in.position() - start + length];
      in.get(start, algorithm);
      return algorithm;
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("no SubjectPublicKeyInfo", e);
    }
  }

  private static int enterSequence(ByteBuffer in) {
    if (in.get() != SEQUENCE) {
      throw new IllegalArgumentException("no sequence");
    }
    int length = in.get() & 0xff;
    if (length == 0x81) {
      return in.get() & 0xff;
    }
    return length == 0x82 ? in.getShort() & 0xffff : length;
  }

  private static byte[] wrapped(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else {
      out.write(0x82);
      out.write(content.length >> 8);
      out.write(content.length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }
}
