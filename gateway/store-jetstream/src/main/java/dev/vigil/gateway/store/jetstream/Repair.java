package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.store.jetstream.BatchMessage.BatchId;
import dev.vigil.gateway.store.jetstream.messages.CommonPrefix;
import dev.vigil.gateway.store.jetstream.messages.MissingChanges;
import dev.vigil.gateway.store.jetstream.messages.StreamClient;
import dev.vigil.gateway.store.jetstream.messages.StreamClient.Answer;
import dev.vigil.gateway.store.jetstream.messages.StreamMessages;
import dev.vigil.gateway.store.jetstream.messages.StreamStart;
import dev.vigil.gateway.store.jetstream.messages.Subjects;
import dev.vigil.gateway.store.sqlite.LostReplica;
import dev.vigil.gateway.store.sqlite.LostReplica.LostEndpoint;
import dev.vigil.gateway.store.sqlite.ReplicaFiles;
import dev.vigil.gateway.store.sqlite.SqliteReplica;
import dev.vigil.gateway.store.sqlite.SqliteReplica.Known;
import dev.vigil.gateway.store.sqlite.rows.KeptChange;
import dev.vigil.store.EndpointName;
import dev.vigil.store.StoreException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores what a replica that was set aside has and the stream lacks. As with every other message, a
 * message of a repair is stored only if the endpoint's last message is the expected one. So if two
 * gateways repair an endpoint at the same time, one is first; the other compares again and finds
 * nothing missing. A repair that was interrupted begins again.
 */
final class Repair {
  private static final Logger log = LoggerFactory.getLogger(Repair.class);

  /** The time for the outcome of one message while the cluster works. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long ANSWER_MILLIS = 2000;
  private static final long POLL_MILLIS = 2;

  private final StreamClient client;
  private final StreamMessages messages;
  private final SqliteReplica replica;
  private final Subjects subjects;
  private final SubmitterThread submitter;
  private final LongSupplier nanoTime;
  private final FeedStream stream;
  private final StreamStart start;
  private final long run;
  private long number;

  /** The messages that the stream and the lost replica have in common. */
  private CommonPrefix common = CommonPrefix.NONE;

  private long lost;
  private long stored;
  private long overtaken;

  Repair(
      StreamClient client,
      StreamMessages messages,
      SqliteReplica replica,
      Subjects subjects,
      SubmitterThread submitter,
      FeedStream stream,
      StreamStart start,
      long run,
      LongSupplier nanoTime) {
    this.client = client;
    this.messages = messages;
    this.replica = replica;
    this.subjects = subjects;
    this.submitter = submitter;
    this.stream = stream;
    this.start = start;
    this.run = run;
    this.nanoTime = nanoTime;
  }

  /**
   * Repairs the stream from each replica that was set aside in a folder, and then removes the
   * replica.
   */
  void runAll(Path folder, RepairLog repairs) throws InterruptedException {
    for (Path file : ReplicaFiles.setAside(folder)) {
      RepairLog.Repaired counts = run(file);
      ReplicaFiles.finish(file, counts.isIncomplete());
      log.warn(
          "the stream lacked {} changes of this gateway, which has stored {} of them again; {} superseded values are kept in {}",
          counts.lost(),
          counts.stored(),
          counts.overtaken(),
          counts.isIncomplete() ? file + ReplicaFiles.KEPT : "no file");
      repairs.repaired(counts);
    }
  }

  private RepairLog.Repaired run(Path file) throws InterruptedException {
    lost = 0;
    stored = 0;
    overtaken = 0;
    boolean damaged;
    try (LostReplica from = LostReplica.open(file)) {
      damaged = from.damaged() > 0;
      run(from);
    } catch (StoreException e) {
      if (!ReplicaFiles.isDamage(e)) {
        throw e;
      }
      damaged = true;
      log.warn("the rest of {} cannot be read: {}", file, e.getMessage());
    }
    return new RepairLog.Repaired(lost, stored, overtaken, damaged);
  }

  /** Stores what is missing. The replica must have all that the stream has. */
  private void run(LostReplica from) throws InterruptedException {
    List<LostEndpoint> endpoints = from.endpoints();
    common = common(from, endpoints);
    for (LostEndpoint endpoint : endpoints) {
      if (endpoint.position() <= common.removed()) {
        continue;
      }
      Known known = replica.known(endpoint.name());
      boolean same =
          known != null
              && known.position() == endpoint.position()
              && Arrays.equals(known.hash(), endpoint.hash());
      if (!same) {
        repair(endpoint, from.changes(endpoint));
      }
    }
  }

  /** Positions in another stream say nothing. */
  private CommonPrefix common(LostReplica from, List<LostEndpoint> endpoints)
      throws InterruptedException {
    if (!from.log().equals(stream.id())) {
      return CommonPrefix.NONE;
    }
    long first = start.position();
    return CommonPrefix.of(
        endpoints.stream().map(this::compared).toList(),
        messages,
        first,
        stream.last(),
        first > stream.begin());
  }

  private CommonPrefix.Lost compared(LostEndpoint lost) {
    Known known = replica.known(lost.name());
    boolean same =
        known != null
            && known.position() == lost.position()
            && Arrays.equals(known.hash(), lost.hash());
    // Names that never had a number may have been forgotten.
    boolean differs =
        known == null ? lost.high() > 0 : !same && known.position() <= lost.position();
    return new CommonPrefix.Lost(lost.position(), lost.hash(), same, differs);
  }

  private void repair(LostEndpoint endpoint, List<KeptChange> changes) throws InterruptedException {
    boolean first = true;
    boolean complete = false;
    while (!complete) {
      // The servers refuse the message if another one is stored after this state is read.
      Known before = before(endpoint.name());
      MissingChanges missing =
          MissingChanges.of(
              changes, replica.kept(endpoint.name()), before.high(), common, messages);
      if (first) {
        lost += missing.changes().size() + missing.overtaken();
        overtaken += missing.overtaken();
        first = false;
      }
      complete = storeAll(endpoint, before, missing.changes());
    }
  }

  /**
   * @return false when another gateway has stored a message of the endpoint meanwhile
   */
  private boolean storeAll(LostEndpoint endpoint, Known before, List<KeptChange> changes)
      throws InterruptedException {
    Known present = before;
    for (KeptChange change : changes) {
      byte[] octets =
          BatchMessage.repair(
                  new BatchId(run, ++number),
                  present,
                  endpoint.name(),
                  id(endpoint, present),
                  change)
              .encode();
      present = store(endpoint.name(), present, octets);
      if (!Arrays.equals(present.hash(), BatchMessage.hash(octets))) {
        return false;
      }
      stored++;
    }
    return true;
  }

  /** The state on which the endpoint's next message is stored. */
  private Known before(EndpointName name) throws InterruptedException {
    Known known = replica.known(name);
    if (known != null) {
      return known;
    }
    // The stream may have messages of a name that replicas forget.
    CompletableFuture<Answer> answered = new CompletableFuture<>();
    client.last(subjects.of(name), answered::complete);
    if (!(await(answered) instanceof Answer.Last(long position, byte[] octets)) || position == 0) {
      return BatchSubmitter.UNKNOWN;
    }
    if (position > submitter.appliedPosition()) {
      Known applied = awaitAfter(name, BatchSubmitter.UNKNOWN);
      return applied == null ? BatchSubmitter.UNKNOWN : applied;
    }
    known = replica.known(name); // It may have been applied since the question.
    return known != null ? known : new Known("", 0, 0, position, BatchMessage.hash(octets));
  }

  /**
   * The id of a new endpoint: the one that it had, unless another endpoint has it or will have it.
   * Empty lets the message's position be the id.
   */
  private String id(LostEndpoint endpoint, Known before) {
    if (!before.id().isEmpty()) {
      return before.id();
    }
    long number = BatchMessage.position(endpoint.id());
    boolean past = number < stream.first() || number <= submitter.appliedPosition();
    return past && !replica.hasId(endpoint.id()) ? endpoint.id() : "";
  }

  /**
   * Stores a message; sends it again until the stream decides.
   *
   * @return the state after the message that was stored, which may be another gateway's
   */
  private Known store(EndpointName name, Known before, byte[] octets) throws InterruptedException {
    long deadline = nanoTime.getAsLong() + PATIENCE_NANOS;
    while (true) {
      Answer answer = publish(name, before, octets);
      if (answer instanceof Answer.Refused(String reason, boolean lasting) && lasting) {
        throw unfinished(name, reason);
      }
      Known after = awaitAfter(name, before);
      if (after != null) {
        return after;
      }
      if (nanoTime.getAsLong() - deadline > 0) {
        throw unfinished(name, String.valueOf(answer));
      }
    }
  }

  private @Nullable Answer publish(EndpointName name, Known before, byte[] octets)
      throws InterruptedException {
    OptionalLong expected =
        start.expected(name, before.position(), replica::newest, submitter::appliedPosition);
    if (expected.isEmpty()) {
      return null; // The replica is about to have a newer message.
    }
    CompletableFuture<Answer> answered = new CompletableFuture<>();
    client.publish(subjects.of(name), expected.getAsLong(), octets, answered::complete);
    Answer answer = await(answered);
    if (answer instanceof Answer.Moved) {
      CompletableFuture<Answer> begins = new CompletableFuture<>();
      client.start(begins::complete);
      if (await(begins) instanceof Answer.Start(long position)) {
        start.reach(position);
      }
    }
    return answer;
  }

  private static StoreException unfinished(EndpointName name, String reason) {
    return new StoreException(
        "the repair of %s cannot be finished (%s): start a majority of the NATS servers, then this gateway again"
            .formatted(name, reason));
  }

  private static @Nullable Answer await(CompletableFuture<Answer> answered)
      throws InterruptedException {
    try {
      return answered.get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return null; // The question is asked again.
    }
  }

  /** Waits a limited time until the replica has a newer message of an endpoint. */
  private @Nullable Known awaitAfter(EndpointName name, Known before) throws InterruptedException {
    long until = nanoTime.getAsLong() + TimeUnit.MILLISECONDS.toNanos(ANSWER_MILLIS);
    while (nanoTime.getAsLong() - until < 0) {
      StoreException halted = submitter.halted();
      if (halted != null) {
        throw halted;
      }
      Known known = replica.known(name);
      if (known != null && known.position() > before.position()) {
        return known;
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    return null;
  }
}
