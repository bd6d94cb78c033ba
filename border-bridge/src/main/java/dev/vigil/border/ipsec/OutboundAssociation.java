package dev.vigil.border.ipsec;

import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireWriter;
import java.util.random.RandomGenerator;

/** Protects the packets that the bridge sends under one association. */
public final class OutboundAssociation {
  private final Association association;
  private final Protector protector;
  private final SequenceCounter counter;

  @FunctionalInterface
  private interface Protector {
    Ipv6Packet protect(Ipv6Packet packet, long sequence) throws WireException;
  }

  /**
   * @param random a cryptographic source, for the IVs of CBC
   */
  public OutboundAssociation(
      Association association, SequenceCounter counter, RandomGenerator random) {
    this.association = association;
    this.counter = counter;
    this.protector =
        switch (association.protection()) {
          case Association.AhProtection ah -> {
            AhTransform transform = new AhTransform(ah.integrity(), ah.key());
            yield (packet, sequence) -> transform.protect(packet, association.spi(), sequence);
          }
          case Association.EspProtection esp -> {
            EspTransform transform =
                new EspTransform(esp.encryption(), esp.key(), esp.integrity(), esp.integrityKey());
            yield (packet, sequence) ->
                Esp.protect(
                    packet,
                    transform,
                    esp.udpCompressed(),
                    association.spi(),
                    sequence,
                    iv(esp.encryption(), sequence, random));
          }
        };
  }

  public Association association() {
    return association;
  }

  /** The packet protected under the next sequence number. */
  public Ipv6Packet protect(Ipv6Packet packet) throws WireException {
    return protector.protect(packet, counter.take());
  }

  /** The IV: never repeated for CTR and CCM (the counter), unpredictable for CBC. */
  private static byte[] iv(Encryption encryption, long sequence, RandomGenerator random) {
    return switch (encryption) {
      case NULL -> new byte[0];
      case AES_CBC -> {
        byte[] iv = new byte[encryption.ivLength()];
        random.nextBytes(iv);
        yield iv;
      }
      case AES_CTR, AES_CCM_8, AES_CCM_12, AES_CCM_16 ->
          new WireWriter(encryption.ivLength()).u64(sequence).toBytes();
    };
  }
}
