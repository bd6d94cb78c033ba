package dev.vigil.gateway.store.jetstream.messages;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** The hash by which a message names the endpoint's previous one. */
public final class MessageHash {
  public static final int OCTETS = 16;

  private MessageHash() {}

  public static byte[] of(byte[] message) {
    try {
      return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(message), OCTETS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
