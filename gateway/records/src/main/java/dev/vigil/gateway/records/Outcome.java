package dev.vigil.gateway.records;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The outcome of a change of a record. */
public sealed interface Outcome {
  /**
   * The change is durable, and this gateway's {@link RecordSet} shows it.
   *
   * @param version of the record; for a removed record, the position of its removal
   */
  record Done(long version) implements Outcome {}

  /**
   * Nothing was changed: the record's version differs from the expected version, or the condition
   * of the change does not hold.
   *
   * @param version the present version; 0: there is no such record
   */
  record Conflict(long version) implements Outcome {}

  /** Nothing was changed: there are already {@code max} records of the kind. */
  record Full(int max) implements Outcome {}

  /** Nothing was changed: the store could not write. */
  record NotStored() implements Outcome {}

  /**
   * Waits for a change at the start or at the end.
   *
   * @param most the time after which an unknown outcome counts as not stored
   */
  static Outcome await(CompletableFuture<Outcome> writing, Duration most) {
    try {
      return writing.get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return new NotStored();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new NotStored();
    }
  }

  /**
   * Returns the version after a change.
   *
   * @param noun the kind of record for the message, for instance "alarm rule"
   * @throws ErrorResponseException 4.12 after a conflict, 4.04 when there is no such record, 4.09
   *     when there are too many records, 5.03 when the store could not write
   */
  default long require(String noun) {
    return switch (this) {
      case Done(long version) -> version;
      case Conflict(long version) when version == 0 ->
          throw new ProblemException(ProblemType.NOT_FOUND, "there is no such " + noun);
      case Conflict _ ->
          throw new ProblemException(
              ProblemType.CHANGED_MEANWHILE,
              "the " + noun + " has changed meanwhile, so nothing was written: read it again");
      case Full(int max) ->
          throw new ProblemException(
              ProblemType.LIMIT_REACHED,
              "there are already %d of the kind %s: remove one first".formatted(max, noun));
      case NotStored() ->
          throw new ProblemException(
              ProblemType.NOT_STORED, "the store cannot write; nothing was changed", 5);
    };
  }
}
