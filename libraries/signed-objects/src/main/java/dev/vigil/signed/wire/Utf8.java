package dev.vigil.signed.wire;

import dev.vigil.signed.SignedObjectException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Strict decoding of UTF-8 (RFC 3629): ill-formed sequences are refused, never replaced. */
public final class Utf8 {
  private Utf8() {}

  public static String decode(byte[] octets) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(octets))
          .toString();
    } catch (CharacterCodingException e) {
      throw SignedObjectException.malformed("not UTF-8");
    }
  }
}
