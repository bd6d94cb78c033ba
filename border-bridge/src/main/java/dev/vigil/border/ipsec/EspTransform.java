package dev.vigil.border.ipsec;

import dev.vigil.border.crypto.AesCbc;
import dev.vigil.border.crypto.AesCtr;
import dev.vigil.border.crypto.Ccm;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import dev.vigil.border.wire.WireWriter;
import java.util.Arrays;

/**
 * ESP's algorithms with their keys: {@code SPI | sequence | IV | ciphertext | ICV} (RFC 4303,
 * section 2). It has no replay window and no counter. Holds cipher state: belongs to one thread.
 */
public final class EspTransform {
  private static final int HEADER = 8;
  private static final int TRAILER = 2;

  private final Encryption encryption;
  private final Mac mac;
  private final CipherMode cipher;

  /** Encrypts and decrypts; {@code header} is SPI and sequence number. */
  private interface CipherMode {
    byte[] encrypt(byte[] header, byte[] iv, byte[] plain);

    byte[] decrypt(byte[] header, byte[] iv, byte[] sealed) throws WireException;
  }

  /** The protected content: the protocol number in the ESP trailer, and the octets. */
  public record Content(int protocol, byte[] octets) {}

  /**
   * @param key of the cipher, salt last; empty for {@link Encryption#NULL}
   * @param integrityKey empty for {@link Integrity#NONE}
   */
  public EspTransform(Encryption encryption, byte[] key, Integrity integrity, byte[] integrityKey) {
    if (encryption.isCombined() && integrity != Integrity.NONE) {
      throw new IllegalArgumentException(encryption + " already has an ICV");
    }
    if (encryption == Encryption.NULL && key.length > 0) {
      throw new IllegalArgumentException("NULL uses no key");
    }
    this.encryption = encryption;
    this.mac = new Mac(integrity, integrityKey);
    int saltAt = key.length - encryption.saltLength();
    if (saltAt < 0) {
      throw new IllegalArgumentException("the key material is shorter than its salt");
    }
    byte[] salt = Arrays.copyOfRange(key, saltAt, key.length);
    this.cipher = cipher(encryption, Arrays.copyOf(key, saltAt), salt);
  }

  public Encryption encryption() {
    return encryption;
  }

  public Integrity integrity() {
    return mac.algorithm();
  }

  /** Whether packets have an ICV. */
  public boolean authenticates() {
    return encryption.isCombined() || mac.algorithm() != Integrity.NONE;
  }

  /** Octets that protection adds to a payload, padding included. */
  public int overhead(int payload) {
    return HEADER
        + encryption.ivLength()
        + padding(payload)
        + TRAILER
        + encryption.icvLength()
        + mac.algorithm().icvLength();
  }

  /**
   * Encrypts and authenticates.
   *
   * @param iv of {@link Encryption#ivLength} octets
   */
  public byte[] seal(int spi, long sequence, byte[] iv, Content content) {
    byte[] payload = content.octets();
    int padding = padding(payload.length);
    WireWriter plain = new WireWriter(payload.length + padding + TRAILER).bytes(payload);
    for (int i = 1; i <= padding; i++) {
      plain.u8(i);
    }
    plain.u8(padding).u8(content.protocol());
    byte[] header = new WireWriter(HEADER).u32(spi).u32(sequence).toBytes();
    byte[] sealed = cipher.encrypt(header, iv, plain.toBytes());
    int length = HEADER + iv.length + sealed.length;
    byte[] covered = new WireWriter(length).bytes(header).bytes(iv).bytes(sealed).toBytes();
    byte[] icv = mac.icv(covered);
    return new WireWriter(length + icv.length).bytes(covered).bytes(icv).toBytes();
  }

  /**
   * Verifies the ICV, then decrypts.
   *
   * @param esp from the SPI to the ICV
   * @throws WireException {@link Drop#ICV_WRONG}, {@link Drop#ESP_LENGTH}, {@link
   *     Drop#ESP_PADDING}, {@link Drop#TRUNCATED}
   */
  public Content open(byte[] esp) throws WireException {
    WireReader in = new WireReader(esp);
    byte[] covered = in.bytes(esp.length - mac.algorithm().icvLength());
    if (!mac.verifies(covered, in.rest())) {
      throw new WireException(Drop.ICV_WRONG);
    }
    WireReader body = new WireReader(covered);
    byte[] header = body.bytes(HEADER);
    byte[] iv = body.bytes(encryption.ivLength());
    int ciphertext = body.remaining() - encryption.icvLength();
    if (ciphertext < TRAILER || ciphertext % encryption.alignment() != 0) {
      throw new WireException(Drop.ESP_LENGTH);
    }
    return unpad(cipher.decrypt(header, iv, body.rest()));
  }

  private static Content unpad(byte[] plain) throws WireException {
    WireReader end = new WireReader(plain);
    end.skip(plain.length - TRAILER);
    int padding = end.u8();
    int protocol = end.u8();
    if (padding > plain.length - TRAILER) {
      throw new WireException(Drop.ESP_PADDING);
    }
    WireReader in = new WireReader(plain);
    byte[] octets = in.bytes(plain.length - TRAILER - padding);
    for (int i = 1; i <= padding; i++) {
      if (in.u8() != i) {
        throw new WireException(Drop.ESP_PADDING);
      }
    }
    return new Content(protocol, octets);
  }

  private int padding(int payload) {
    return Math.floorMod(-(payload + TRAILER), encryption.alignment());
  }

  private static CipherMode cipher(Encryption encryption, byte[] key, byte[] salt) {
    return switch (encryption) {
      case NULL -> none();
      case AES_CBC -> cbc(new AesCbc(key));
      case AES_CTR -> ctr(new AesCtr(key), salt);
      case AES_CCM_8, AES_CCM_12, AES_CCM_16 -> ccm(new Ccm(key), salt, encryption.icvLength());
    };
  }

  private static CipherMode none() {
    return new CipherMode() {
      @Override
      public byte[] encrypt(byte[] header, byte[] iv, byte[] plain) {
        return plain;
      }

      @Override
      public byte[] decrypt(byte[] header, byte[] iv, byte[] sealed) {
        return sealed;
      }
    };
  }

  private static CipherMode cbc(AesCbc cipher) {
    return new CipherMode() {
      @Override
      public byte[] encrypt(byte[] header, byte[] iv, byte[] plain) {
        return cipher.encrypt(iv, plain);
      }

      @Override
      public byte[] decrypt(byte[] header, byte[] iv, byte[] sealed) {
        return cipher.decrypt(iv, sealed);
      }
    };
  }

  private static CipherMode ctr(AesCtr cipher, byte[] salt) {
    return new CipherMode() {
      @Override
      public byte[] encrypt(byte[] header, byte[] iv, byte[] plain) {
        return cipher.apply(salt, iv, plain);
      }

      @Override
      public byte[] decrypt(byte[] header, byte[] iv, byte[] sealed) {
        return cipher.apply(salt, iv, sealed);
      }
    };
  }

  private static CipherMode ccm(Ccm cipher, byte[] salt, int icvLength) {
    return new CipherMode() {
      @Override
      public byte[] encrypt(byte[] header, byte[] iv, byte[] plain) {
        return cipher.seal(nonce(iv), header, plain, icvLength);
      }

      @Override
      public byte[] decrypt(byte[] header, byte[] iv, byte[] sealed) throws WireException {
        return cipher
            .open(nonce(iv), header, sealed, icvLength)
            .orElseThrow(() -> new WireException(Drop.ICV_WRONG));
      }

      private byte[] nonce(byte[] iv) {
        return new WireWriter(salt.length + iv.length).bytes(salt).bytes(iv).toBytes();
      }
    };
  }
}
