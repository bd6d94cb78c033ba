package dev.vigil.mirror.confidential;

import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.signed.jose.CompactUpdate;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.wire.WireReader;
import dev.vigil.signed.wire.WireWriter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decrypts updates (docs/protocol.md section 7). */
public final class UpdateCipher {
  private static final Map<String, String> JWE_HEADER = Map.of("alg", "dir", "enc", "A128GCM");
  private static final int MAX_HEADER = 512;

  private UpdateCipher() {}

  /**
   * Decrypts a compact update; nonce {@code 00000000 | N}, additional data {@code flags | N}.
   *
   * @param seq N, the full sequence number
   * @param keys null if none were agreed
   * @return the plaintext; null if the tag is wrong or the key number unknown
   */
  public static byte @Nullable [] openCompact(
      CompactUpdate update, long seq, @Nullable UpdateKeys keys) {
    UpdateKeys.Pair pair = keys == null ? null : keys.byShortNumber(update.keyNumber());
    if (pair == null) {
      return null;
    }
    byte[] nonce = new WireWriter(AesGcm.NONCE_LENGTH).u32(0).u64(seq).toOctets();
    byte[] additional = new WireWriter(9).u8(update.flags()).u64(seq).toOctets();
    return AesGcm.open(pair.compact(), nonce, additional, update.payload());
  }

  /**
   * Decrypts a JWE in compact serialization (RFC 7516 section 7.1).
   *
   * @param keys null if none were agreed
   * @return the JWS inside
   * @throws RequestRefused 4.00 if malformed; 4.01 if no key of this endpoint decrypts it
   */
  public static byte[] openJwe(byte[] octets, @Nullable UpdateKeys keys) {
    WireReader in = new WireReader(octets);
    int headerLength = in.distanceTo('.');
    if (headerLength > MAX_HEADER) {
      throw RequestRefused.malformed("the header of the JWE is too long");
    }
    byte[] headerText = in.lookAhead(headerLength).rest();
    byte[] header = part(in);
    byte[] encryptedKey = part(in);
    byte[] nonce = part(in);
    byte[] ciphertext = part(in);
    byte[] tag = in.base64url(in.remaining());
    requireHeader(header);
    if (encryptedKey.length != 0
        || nonce.length != AesGcm.NONCE_LENGTH
        || tag.length != AesGcm.TAG_LENGTH) {
      throw RequestRefused.malformed("a JWE must have alg dir and enc A128GCM");
    }
    byte[] sealed =
        new WireWriter(ciphertext.length + tag.length).octets(ciphertext).octets(tag).toOctets();
    byte[] plain = null;
    if (keys != null) {
      plain = AesGcm.open(keys.current().jwe(), nonce, headerText, sealed);
      if (plain == null && keys.former() != null) {
        plain = AesGcm.open(keys.former().jwe(), nonce, headerText, sealed);
      }
    }
    if (plain == null) {
      throw doesNotDecrypt();
    }
    return plain;
  }

  /** Always 4.01, so that strangers do not learn whether there is a key, or which. */
  public static RequestRefused doesNotDecrypt() {
    return new RequestRefused(
        Reason.BAD_SIGNATURE, "cannot decrypt the update; register to agree on a key");
  }

  private static byte[] part(WireReader in) {
    byte[] part = in.base64url(in.distanceTo('.'));
    in.skip(1);
    return part;
  }

  private static void requireHeader(byte[] header) {
    JsonReader json = new JsonReader(new WireReader(header));
    Map<String, String> members = new HashMap<>();
    json.object(
        name -> {
          if (name.equals("crit") || name.equals("zip")) {
            throw new RequestRefused(
                Reason.FORBIDDEN_MEMBER, "header member " + name + " is not allowed");
          }
          if (JWE_HEADER.containsKey(name)) {
            members.put(name, json.string());
          } else {
            json.skip();
          }
        });
    json.end();
    if (!members.equals(JWE_HEADER)) {
      throw RequestRefused.malformed("a JWE must have alg dir and enc A128GCM");
    }
  }
}
