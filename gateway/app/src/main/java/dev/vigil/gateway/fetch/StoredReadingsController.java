package dev.vigil.gateway.fetch;

import dev.vigil.border.blocks.BlockStoreId;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.WireException;
import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.MirrorOperations;
import dev.vigil.mirror.MirrorRecovery;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Fetches readings from the block stores of motes. */
@RestController
class StoredReadingsController {
  /** Times on the wire have 32 bits. */
  private static final long LAST_SECOND = 0xffff_ffffL;

  private final StoredReadings readings;
  private final BridgeLifecycle network;
  private final MirrorOperations mirror;
  private final MirrorRecovery recovery;
  private final Access access;

  StoredReadingsController(
      StoredReadings readings,
      BridgeLifecycle network,
      MirrorOperations mirror,
      MirrorRecovery recovery,
      Access access) {
    this.readings = readings;
    this.network = network;
    this.mirror = mirror;
    this.recovery = recovery;
    this.access = access;
  }

  /**
   * @param corrupted numbers of blocks that are damaged in the mote's block store; they are left
   *     out
   * @param missing numbers of blocks that did not arrive
   * @param next the {@code after} of the next page; absent at the end
   */
  record PageJson(
      String mote,
      List<ReadingJson> readings,
      SortedSet<Long> corrupted,
      SortedSet<Long> missing,
      @Nullable Long next) {}

  /**
   * @param sensor the path of its resource
   * @param sequence the low 16 bits of the update's number; 0 if no update was made
   * @param block the number of the block that held it
   */
  record ReadingJson(
      Instant time, String sensor, BigDecimal value, String unit, int sequence, long block) {
    static ReadingJson of(StoredReadings.Item item) {
      return new ReadingJson(
          Instant.ofEpochSecond(item.reading().time()),
          item.sensor().path(),
          item.reading().value(),
          item.sensor().unit(),
          item.reading().sequence(),
          item.block());
    }
  }

  @Operation(
      operationId = "fetchStoredReadings",
      summary = "Asks a mote for readings that it has stored",
      description =
          "mote is the mote's mesh address; file is the name of a block store, the unnamed one by"
              + " default. from and to are times such as 2026-11-20T12:00:00Z,"
              + " both included. One page is one burst of at most 32 blocks; after is the next"
              + " of an earlier answer. The readings are authenticated between mote and gateway,"
              + " not signed.")
  @PostMapping("/api/network/stored-readings")
  PageJson fetch(
      HttpServletRequest request,
      @RequestParam String mote,
      @RequestParam(defaultValue = "") String file,
      @RequestParam @Nullable String from,
      @RequestParam @Nullable String to,
      @RequestParam(defaultValue = "0") long after) {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.OPERATE, Access.EVERY_DOMAIN);
    BlockStoreId store = new BlockStoreId(address(mote), file);
    long begin = from == null ? 0 : time("from", from);
    long end = to == null ? LAST_SECOND : time("to", to);
    if (begin > end) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER, "from is later than to: exchange them");
    }
    if (after < 0 || after > LAST_SECOND) {
      throw new ProblemException(
          ProblemType.INVALID_CURSOR, "after must be the next of an earlier answer");
    }
    if (network.bridge().isEmpty()) {
      throw BridgeLifecycle.noRadio();
    }
    StoredReadings.Page page = readings.fetch(store, begin, end, after);
    if (after == 0) {
      FutureResults.done(
          mirror.recordAction("fetched stored readings of " + store, caller.label()));
    }
    return new PageJson(
        store.mote().toString(),
        page.items().stream().map(ReadingJson::of).toList(),
        page.corrupted(),
        page.missing(),
        page.next() == 0 ? null : page.next());
  }

  /**
   * @param blocks number of blocks that this request re-encrypted
   * @param segments number of segments that are still under the previous key; 0: none
   */
  record RekeyedJson(String mote, long blocks, long segments) {}

  @Operation(
      operationId = "rekeyStoredReadings",
      summary = "Makes a mote encrypt its stored readings under the new key of its block store",
      description =
          "mote is the mote's mesh address; file is the name of a block store, the unnamed one by"
              + " default. First add a second line store with the new key to"
              + " both files of associations. One request encrypts at most 32 blocks: repeat it"
              + " until segments is 0, with more=true, so that the audit trail has one entry."
              + " Then remove the first line store.")
  @PostMapping("/api/network/stored-readings/rekey")
  RekeyedJson rekey(
      HttpServletRequest request,
      @RequestParam String mote,
      @RequestParam(defaultValue = "") String file,
      @RequestParam(defaultValue = "false") boolean more) {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.OPERATE, Access.EVERY_DOMAIN);
    BlockStoreId store = new BlockStoreId(address(mote), file);
    if (network.bridge().isEmpty()) {
      throw BridgeLifecycle.noRadio();
    }
    Rekeyed rekeyed = readings.rekey(store);
    if (!more) {
      FutureResults.done(
          mirror.recordAction("changed the key of the block store of " + store, caller.label()));
    }
    return new RekeyedJson(store.mote().toString(), rekeyed.blocks(), rekeyed.segments());
  }

  @Operation(
      operationId = "reassignArchive",
      summary = "Gives the block store of a mote to another endpoint",
      description =
          "mote is the mote's mesh address. Recovered readings of an earlier owner are removed,"
              + " its signed values stay. The new owner's gaps are filled after its next update"
              + " that arrives through the mote's association.")
  @PutMapping("/api/network/stored-readings/owner")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void reassign(
      HttpServletRequest request, @RequestParam String mote, @RequestParam String endpoint) {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.OPERATE, Access.EVERY_DOMAIN);
    FutureResults.done(recovery.reassign(address(mote).toString(), endpoint, caller.label()));
  }

  private static Ipv6Address address(String text) {
    try {
      return Ipv6Address.parse(text);
    } catch (WireException e) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER,
          "mote must be an IPv6 address, for instance fd00::202:2:2:2");
    }
  }

  private static long time(String name, String text) {
    try {
      long seconds = Instant.parse(text).getEpochSecond();
      if (seconds >= 0 && seconds <= LAST_SECOND) {
        return seconds;
      }
    } catch (DateTimeParseException e) {
      // Reported below.
    }
    throw new ProblemException(
        ProblemType.INVALID_PARAMETER,
        name + " must be a time such as 2026-11-20T12:00:00Z, from 1970 to 2106");
  }
}
