package dev.vigil.border.blocks;

import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.ipv6.Udp;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;

/**
 * A block of a mote's block store, as it was received in an ESP packet.
 *
 * @param number names the block for the block store's life; 1 to 2^32-1
 * @param payload empty unless the block is intact
 */
public record StoredBlock(BlockStoreId store, long number, State state, byte[] payload) {
  /** UDP port of stored blocks, at both ends. */
  public static final int PORT = 5693;

  private static final int ESP_HEADER = 8;
  private static final byte[] NOTHING = {};

  /** The integrity of a received block. */
  public enum State {
    INTACT,
    /**
     * The ICV is right but the content is wrong, so the block was damaged in the mote's storage.
     */
    CORRUPTED,
    /** The ICV is wrong, so the number may be wrong too. */
    UNVERIFIED
  }

  /**
   * Reads a block whose ESP was verified.
   *
   * @param store the name of the block store of its association
   * @param sealed the packet as received; its IV is the block's number
   * @param open the packet without ESP
   */
  public static StoredBlock verified(String store, Ipv6Packet sealed, Ipv6Packet open)
      throws WireException {
    BlockStoreId id = new BlockStoreId(sealed.source(), store);
    long number = number(sealed);
    try {
      if (open.protocol() == Protocol.UDP) {
        Udp udp = Udp.parse(open.payload(), open.source(), open.finalDestination());
        if (udp.sourcePort() == PORT && udp.destinationPort() == PORT) {
          return new StoredBlock(id, number, State.INTACT, udp.payload());
        }
      }
    } catch (WireException e) {
      // The block is reported as corrupted.
    }
    return new StoredBlock(id, number, State.CORRUPTED, NOTHING);
  }

  /** A block whose ICV is right, although its content is no ESP trailer. */
  public static StoredBlock corrupted(String store, Ipv6Packet sealed) throws WireException {
    BlockStoreId id = new BlockStoreId(sealed.source(), store);
    return new StoredBlock(id, number(sealed), State.CORRUPTED, NOTHING);
  }

  /** A block that claims this number but has a wrong ICV. */
  public static StoredBlock unverified(String store, Ipv6Packet sealed) throws WireException {
    BlockStoreId id = new BlockStoreId(sealed.source(), store);
    return new StoredBlock(id, number(sealed), State.UNVERIFIED, NOTHING);
  }

  private static long number(Ipv6Packet sealed) throws WireException {
    WireReader in = new WireReader(sealed.payload());
    in.skip(ESP_HEADER);
    long number = in.u64();
    if (number <= 0 || number > 0xffff_ffffL) {
      throw new WireException(Drop.POLICY, "not the IV of a stored block");
    }
    return number;
  }
}
