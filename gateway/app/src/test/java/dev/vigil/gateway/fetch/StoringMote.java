package dev.vigil.gateway.fetch;

import dev.vigil.border.associations.AssociationState;
import dev.vigil.border.associations.AssociationStatus;
import dev.vigil.border.blocks.BlockStoreId;
import dev.vigil.border.blocks.StoredBlock;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.coap.server.ClientRequest;
import dev.vigil.coap.server.ClientResponse;
import dev.vigil.signed.cbor.CborReader;
import dev.vigil.signed.cbor.CborWriter;
import dev.vigil.signed.wire.WireReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A mote's block store in memory, behind the requests and blocks of docs/protocol.md section 12.
 */
final class StoringMote {
  static final Ipv6Address ADDRESS = new Ipv6Address(0xfdL << 56, 0x0202_0002_0002_0002L);

  private static final BlockStoreId STORE = BlockStoreId.unnamed(ADDRESS);
  private static final int PAYLOAD = 54;
  private static final int RECORD = 10;
  private static final int BURST = 32;

  private final BlockInbox inbox = new BlockInbox();
  private final List<String> sensors;
  private final List<List<byte[]>> blocks = new ArrayList<>();
  private int answersLeft = Integer.MAX_VALUE;
  private long repeated;
  private long firstDamaged;
  private long lastDamaged;
  private long opened;

  StoringMote(String... sensors) {
    this.sensors = List.of(sensors);
  }

  /**
   * @param tenths the value in tenths
   * @param seq the number of its update; 0: none
   */
  void store(int sensor, int tenths, long time, long seq) {
    if (blocks.isEmpty() || blocks.getLast().size() == PAYLOAD / RECORD) {
      blocks.add(new ArrayList<>());
    }
    int packed = sensor << 28 | 0xf << 24 | tenths & 0xff_ffff;
    blocks
        .getLast()
        .add(
            ByteBuffer.allocate(RECORD)
                .putInt(packed)
                .putInt((int) time)
                .putShort((short) seq)
                .array());
  }

  /** Answers at most this number of requests. */
  void answer(int requests) {
    answersLeft = requests;
  }

  /** Gives this number as the next block of every burst that is not the first. */
  void repeatFrom(long block) {
    repeated = block;
  }

  /** Sends these blocks, and no others, with a wrong ICV. */
  void damage(long first, long last) {
    firstDamaged = first;
    lastDamaged = last;
  }

  /** The gateway's side of this mote. */
  StoredReadings readings() {
    return readings(this::answer);
  }

  /** The gateway's side of a mote that answers as given. */
  StoredReadings readings(Function<ClientRequest, CompletableFuture<ClientResponse>> client) {
    AssociationStatus archive =
        new AssociationStatus(
            1,
            "store",
            "",
            "esp",
            "ctr-xcbc",
            1,
            ADDRESS,
            new Ipv6Address(0xfdL << 56, 1),
            List.of(),
            () -> AssociationState.READY,
            () -> new AssociationStatus.Figures(opened, 0, 0, 0, 0, 0, 0));
    return new StoredReadings(
        client,
        () -> List.of(archive),
        inbox,
        store -> CompletableFuture.completedFuture(true),
        StoredReadings.SILENCE_MILLIS);
  }

  private CompletableFuture<ClientResponse> answer(ClientRequest request) {
    if (answersLeft-- <= 0) {
      return CompletableFuture.failedFuture(new IOException("no answer"));
    }
    byte[] answer = request.path().getLast().equals("info") ? info() : send(request.payload());
    return CompletableFuture.completedFuture(new ClientResponse("2.05", List.of(), answer));
  }

  private byte[] info() {
    CborWriter out = new CborWriter().map(3).integer(0).text("B").integer(3).integer(blocks.size());
    out.integer(4).array(2 * sensors.size());
    sensors.forEach(sensor -> out.text(sensor).text("Cel"));
    return out.toOctets();
  }

  /** Blocks of a time range from a number on, or single blocks. */
  private byte[] send(byte[] request) {
    Map<Long, Long> wanted = new HashMap<>();
    CborReader in = new CborReader(new WireReader(request));
    in.map(
        key -> {
          if (key instanceof CborReader.IntKey(long label)) {
            wanted.put(label, in.unsigned());
          }
        });
    long from = wanted.getOrDefault(0L, 0L);
    long to = wanted.getOrDefault(1L, Long.MAX_VALUE);
    long mask = wanted.getOrDefault(4L, 0xffff_ffffL);
    long first = 0;
    long sent = 0;
    long next = 0;
    for (long number = wanted.getOrDefault(2L, 1L); number <= blocks.size(); number++) {
      List<byte[]> block = blocks.get((int) number - 1);
      if (block.stream().mapToLong(StoringMote::time).noneMatch(at -> at >= from && at <= to)) {
        continue;
      }
      first = first == 0 ? number : first;
      if (number - first >= BURST) {
        next = repeated > 0 && first > 1 ? repeated : number;
        break;
      }
      if ((mask >>> number - first & 1) != 0) {
        sent |= 1L << number - first;
        boolean isDamaged = number >= firstDamaged && number <= lastDamaged;
        StoredBlock.State state =
            isDamaged ? StoredBlock.State.UNVERIFIED : StoredBlock.State.INTACT;
        opened += isDamaged ? 0 : 1;
        inbox.received(new StoredBlock(STORE, number, state, payload(block)));
      }
    }
    CborWriter out = new CborWriter().map(next > 0 ? 3 : 2).integer(2).integer(first);
    out.integer(4).integer(sent);
    return (next > 0 ? out.integer(6).integer(next) : out).toOctets();
  }

  private static long time(byte[] record) {
    return Integer.toUnsignedLong(ByteBuffer.wrap(record).getInt(Integer.BYTES));
  }

  private static byte[] payload(List<byte[]> block) {
    byte[] payload = new byte[PAYLOAD];
    Arrays.fill(payload, (byte) 0xff);
    ByteBuffer out = ByteBuffer.wrap(payload);
    block.forEach(out::put);
    return payload;
  }
}
