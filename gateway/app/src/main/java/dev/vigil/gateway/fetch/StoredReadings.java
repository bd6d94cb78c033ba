package dev.vigil.gateway.fetch;

import dev.vigil.border.associations.AssociationStatus;
import dev.vigil.border.blocks.BlockStoreId;
import dev.vigil.border.blocks.StoredBlock;
import dev.vigil.border.blocks.StoredReading;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.WireException;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.server.ClientRequest;
import dev.vigil.coap.server.ClientResponse;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.signed.SignedObjectException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fetches the stored readings of a mote, burst by burst. Safe for any thread. */
final class StoredReadings {
  private static final Comparator<BlockStoreId> BY_NAME = Comparator.comparing(BlockStoreId::name);

  private static final long ANSWER_SECONDS = 20;

  /** A packet takes less time than this, even over several hops of a busy mesh. */
  static final long SILENCE_MILLIS = 2_000;

  private final Function<ClientRequest, CompletableFuture<ClientResponse>> client;
  private final Supplier<List<AssociationStatus>> associations;
  private final BlockInbox inbox;
  private final Function<BlockStoreId, CompletableFuture<Boolean>> resets;
  private final long silenceMillis;

  /**
   * @param client sends a request, for instance {@code CoapClient::send}
   * @param associations the running associations
   * @param inbox receives each block that the bridge receives
   * @param resets accepts all sequence numbers of a block store again, for mode D
   * @param silenceMillis time without a block after which missing blocks count as lost
   */
  StoredReadings(
      Function<ClientRequest, CompletableFuture<ClientResponse>> client,
      Supplier<List<AssociationStatus>> associations,
      BlockInbox inbox,
      Function<BlockStoreId, CompletableFuture<Boolean>> resets,
      long silenceMillis) {
    this.client = client;
    this.associations = associations;
    this.inbox = inbox;
    this.resets = resets;
    this.silenceMillis = silenceMillis;
  }

  /**
   * The readings of one burst.
   *
   * @param corrupted numbers of blocks that are damaged in the mote's block store
   * @param missing numbers of blocks that did not arrive, after several requests
   * @param next the number from which the next burst continues; 0: this is the last one
   */
  record Page(List<Item> items, SortedSet<Long> corrupted, SortedSet<Long> missing, long next) {}

  /** A reading, its sensor, and the block that it was in. */
  record Item(StoredReading reading, StoreInfo.Sensor sensor, long block) {}

  /**
   * Fetches one burst.
   *
   * @param from seconds of unix time; inclusive, like {@code to}
   * @param first the block number to continue from; 0: from the beginning
   * @throws ErrorResponseException with one sentence that names the mote and the remedy
   */
  Page fetch(BlockStoreId store, long from, long to, long first) {
    int line = line(store);
    BlockingQueue<StoredBlock> queue =
        inbox
            .open(store)
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemType.CONFLICT,
                        store + " is being asked already: wait for that answer"));
    try {
      StoreInfo info = read(() -> StoreInfo.parse(ask(store, Method.GET, "info", null)), store);
      if (info.mode().equals(StoreInfo.STORED_ICV)) {
        // Before each burst, because the mote or this process may have restarted since the last.
        resets.apply(store).get(ANSWER_SECONDS, TimeUnit.SECONDS);
        ask(store, Method.POST, "open", new byte[] {(byte) 0xa0});
      }
      Transfer transfer =
          new Transfer(
              request -> read(() -> Burst.parse(ask(store, Method.POST, "send", request)), store),
              queue,
              silenceMillis);
      long next = transfer.run(Burst.request(from, to, first));
      if (next != 0 && next <= first) {
        throw new ProblemException(
            ProblemType.BAD_GATEWAY,
            "%s asks to continue at block %d after block %d: its block store is damaged"
                .formatted(store, next, first));
      }
      boolean isLone = transfer.unverified().size() == 1 && hasOpened(store);
      if (transfer.intact().isEmpty() && !transfer.unverified().isEmpty() && !isLone) {
        throw new ProblemException(
            ProblemType.BAD_GATEWAY,
            ("no block of %s has a correct ICV: line %d of the gateway's file does not have the"
                    + " key of the stored blocks")
                .formatted(store, line));
      }
      return page(transfer, info, from, to, next);
    } catch (IOException | ExecutionException | TimeoutException e) {
      throw silent(store);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProblemException(ProblemType.STOPPING, "the gateway is stopping");
    } finally {
      inbox.close(store);
    }
  }

  /**
   * Makes a mote encrypt some blocks of a block store under its new key.
   *
   * @throws ErrorResponseException with one sentence that names the mote and the remedy
   */
  Rekeyed rekey(BlockStoreId store) {
    line(store);
    try {
      return read(
          () -> Rekeyed.parse(ask(store, Method.POST, "rekey", new byte[] {(byte) 0xa0})), store);
    } catch (IOException e) {
      throw silent(store);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProblemException(ProblemType.STOPPING, "the gateway is stopping");
    }
  }

  private static ProblemException silent(BlockStoreId store) {
    return new ProblemException(
        ProblemType.NO_ANSWER,
        store.mote() + " does not answer: is it awake, started with --store and in reach?");
  }

  /** The block stores of a mote whose associations this gateway holds, the unnamed one first. */
  List<BlockStoreId> stores(Ipv6Address mote) {
    return stores(associations.get())
        .filter(one -> one.mote().equals(mote))
        .sorted(BY_NAME)
        .toList();
  }

  /** The block stores of associations, each once. */
  static Stream<BlockStoreId> stores(List<AssociationStatus> statuses) {
    return statuses.stream().filter(StoredReadings::isStore).map(StoredReadings::store).distinct();
  }

  private static boolean isStore(AssociationStatus status) {
    return status.direction().equals("store");
  }

  private static BlockStoreId store(AssociationStatus status) {
    return new BlockStoreId(status.peer(), status.store());
  }

  /**
   * Whether each key of a block store has opened a block since the start. A block with a wrong ICV
   * that is alone in its burst is then damaged. Several such blocks show that the mote has got
   * another key since.
   */
  private boolean hasOpened(BlockStoreId store) {
    return associations.get().stream()
        .filter(one -> isStore(one) && store(one).equals(store))
        .allMatch(one -> one.figures().get().packets() > 0);
  }

  /** The line of a block store in the file of associations. */
  private int line(BlockStoreId store) {
    return associations.get().stream()
        .filter(one -> isStore(one) && store(one).equals(store))
        .findFirst()
        .map(AssociationStatus::line)
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemType.NOT_FOUND,
                    ("no block store of %s is known: the gateway's file of associations has no"
                            + " line `store%s` for it")
                        .formatted(store, store.name().isEmpty() ? "" : "=" + store.name())));
  }

  private interface Answer<T> {
    T read() throws IOException, InterruptedException;
  }

  private static <T> T read(Answer<T> answer, BlockStoreId store)
      throws IOException, InterruptedException {
    try {
      return answer.read();
    } catch (SignedObjectException e) {
      throw new ProblemException(
          ProblemType.BAD_GATEWAY, store + " gave a malformed answer: " + e.line());
    }
  }

  private byte[] ask(BlockStoreId store, Method method, String resource, byte @Nullable [] payload)
      throws IOException, InterruptedException {
    ClientRequest request =
        new ClientRequest(
            method,
            URI.create("coap://[" + store.mote() + "]"),
            store.name().isEmpty()
                ? List.of("store", resource)
                : List.of("store", store.name(), resource),
            Query.EMPTY,
            payload == null ? null : ContentFormat.CBOR,
            payload == null ? new byte[0] : payload);
    CompletableFuture<ClientResponse> answer = client.apply(request);
    try {
      ClientResponse response = answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
      if (!response.isSuccess()) {
        throw new ProblemException(
            ProblemType.BAD_GATEWAY, refusal(store, resource, response.code()));
      }
      return response.payload();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failed ? failed : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(e);
    } finally {
      answer.cancel(false); // of a mote that has not answered
    }
  }

  private static String refusal(BlockStoreId store, String resource, String code) {
    return switch (code) {
      case "4.09" ->
          resource.equals("rekey")
              ? store
                  + " has no free segment for the copies: start it once with --store-full"
                  + " overwrite, which gives up its oldest blocks"
              : store + " answered " + code;
      case "4.04" ->
          store
              + " keeps no readings: start it with --store"
              + (store.name().isEmpty() ? "" : " " + store.name() + "=FILE");
      case "4.03" ->
          store.mote()
              + " answers protected requests only: both files of associations need in and out";
      default -> store + " answered " + code;
    };
  }

  private static Page page(Transfer transfer, StoreInfo info, long from, long to, long next) {
    List<Item> items = new ArrayList<>();
    SortedSet<Long> corrupted = new TreeSet<>(transfer.corrupted());
    corrupted.addAll(transfer.unverified());
    transfer
        .intact()
        .forEach(
            (number, block) -> {
              try {
                for (StoredReading reading : StoredReading.all(block.payload())) {
                  if (reading.time() >= from && reading.time() <= to) {
                    items.add(new Item(reading, sensor(info, reading.sensor()), number));
                  }
                }
              } catch (WireException e) {
                corrupted.add(number);
              }
            });
    return new Page(items, corrupted, transfer.missing(), next);
  }

  private static StoreInfo.Sensor sensor(StoreInfo info, int index) {
    return index < info.sensors().size()
        ? info.sensors().get(index)
        : new StoreInfo.Sensor("sensor-" + index, "");
  }
}
