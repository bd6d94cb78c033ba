package dev.vigil.mirror.confidential;

import dev.vigil.mirror.jose.CompactUpdate;
import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;
import dev.vigil.mirror.wire.WireWriter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Opens encrypted updates (section 7 of the protocol). */
public final class AirCipher {
  private static final Map<String, String> JWE_HEADER = Map.of("alg", "dir", "enc", "A128GCM");
  private static final int MAX_HEADER = 512;

  private AirCipher() {}

  /**
   * Nonce {@code 00000000 | N}, additional data {@code flags | N}.
   *
   * @return null when it does not open with that number
   * @throws Rejection 4.01 when the key is not known any more
   */
  public static byte @Nullable [] openCompact(CompactUpdate update, long seq, AirKeys keys) {
    AirKeys.Pair pair = keys.byShortNumber(update.keyNumber());
    if (pair == null) {
      throw new Rejection(Reason.UNKNOWN_KEY, "no such key number: register again");
    }
    byte[] nonce = new WireWriter(Gcm.NONCE).u32(0).u64(seq).toOctets();
    byte[] additional = new WireWriter(9).u8(update.flags()).u64(seq).toOctets();
    return Gcm.open(pair.air(), nonce, additional, update.payload());
  }

  /**
   * The JWS inside a JWE in compact serialization (RFC 7516 section 7.1).
   *
   * @throws Rejection 4.00; 4.01 when no key of this endpoint opens it
   */
  public static byte[] openJwe(byte[] octets, AirKeys keys) {
    WireReader in = new WireReader(octets);
    int headerLength = in.distanceTo('.');
    if (headerLength > MAX_HEADER) {
      throw Rejection.malformed("the header of the JWE is too long");
    }
    byte[] headerText = in.lookAhead(headerLength).rest();
    byte[] header = part(in);
    byte[] encryptedKey = part(in);
    byte[] nonce = part(in);
    byte[] cipher = part(in);
    byte[] tag = in.base64url(in.remaining());
    requireHeader(header);
    if (encryptedKey.length != 0 || nonce.length != Gcm.NONCE || tag.length != Gcm.TAG) {
      throw Rejection.malformed("not a JWE of dir and A128GCM");
    }
    byte[] sealed =
        new WireWriter(cipher.length + tag.length).octets(cipher).octets(tag).toOctets();
    byte[] plain = Gcm.open(keys.current().jwe(), nonce, headerText, sealed);
    if (plain == null && keys.before() != null) {
      plain = Gcm.open(keys.before().jwe(), nonce, headerText, sealed);
    }
    if (plain == null) {
      throw new Rejection(Reason.BAD_SIGNATURE, "the update does not decrypt");
    }
    return plain;
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
            throw new Rejection(
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
      throw Rejection.malformed("not a JWE of dir and A128GCM");
    }
  }
}
