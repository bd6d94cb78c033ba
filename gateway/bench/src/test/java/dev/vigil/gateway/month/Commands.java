package dev.vigil.gateway.month;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.CommandView;
import dev.vigil.mirror.model.StoreSlots;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.LocalKeyPair;
import dev.vigil.store.Change;
import dev.vigil.store.Fact;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A commander, its commands, what motes did about them, and what the gateway says about them. */
final class Commands {
  /** The mote failed, or lost power: it may have carried the command out. */
  private static final int FAILED = 500;

  /** The mote dealt with the command before, and the gateway was restored since. */
  private static final int BEGUN = 409;

  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
  static final Caller COMMANDER =
      new Caller(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000),
          true,
          true,
          new Caller.Account("owner", Set.of("operator")));

  private final LocalKeyPair key;
  private final List<Command> all = new ArrayList<>();

  /** By the signed text. Guarded by itself: the store's thread looks commands up. */
  private final Map<String, Command> byText = new HashMap<>();

  /** One command, which the gateway has taken. */
  static final class Command {
    final int mote;
    final String payload;
    final long seq;
    final long queuedAt;
    final boolean expires;

    /** The time at which the mote executed it, microseconds; -1: not yet. */
    long actedAt = -1;

    /** The state that the gateway reported last; null if it forgot or never kept the command. */
    volatile CommandView.@Nullable State state = CommandView.State.QUEUED;

    volatile int reason;

    /** Whether an operator or a restoration took the gateway's record of it. */
    boolean lost;

    /** Whether a restoration has taken the gateway back since it was queued. */
    boolean restored;

    private Command(int mote, String payload, long seq, long queuedAt, boolean expires) {
      this.mote = mote;
      this.payload = payload;
      this.seq = seq;
      this.queuedAt = queuedAt;
      this.expires = expires;
    }

    @Override
    public String toString() {
      return "command %s (number %d) to mote-%d of %d s, state %s %d, carried out at %d s%s"
          .formatted(
              payload,
              seq,
              mote,
              queuedAt / 1_000_000,
              state,
              reason,
              actedAt / 1_000_000,
              lost ? ", record lost" : "");
    }
  }

  Commands(SecureRandom random) {
    this.key = LocalKeyPair.generate(random);
  }

  Jwk publicKey() {
    return key.jwk();
  }

  List<Command> all() {
    return all;
  }

  /** A signed command as a request. */
  Request request(MotePlan plan, String id, long seq, String payload, long expires) {
    String header =
        "{\"alg\":\"ES256\",\"typ\":\"vigil-cmd\",\"cty\":\"text/plain\",\"kid\":\"%s\",\"ep\":\"%s\"%s,\"res\":\"led\",\"seq\":%d%s}"
            .formatted(
                key.jwk().thumbprint(),
                plan.ep(),
                plan.domain().isEmpty() ? "" : ",\"d\":\"" + plan.domain() + "\"",
                seq,
                expires > 0 ? ",\"exp\":" + expires : "");
    String signed = encoded(header) + "." + encoded(payload);
    String text =
        signed + "." + BASE64.encodeToString(key.sign(signed.getBytes(StandardCharsets.US_ASCII)));
    return new Request(
        Method.PUT,
        List.of("ms", id, "led"),
        Query.EMPTY,
        ContentFormat.JOSE,
        text.getBytes(StandardCharsets.US_ASCII),
        List.of(),
        true,
        COMMANDER);
  }

  private static String encoded(String text) {
    return BASE64.encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Notes a command that the gateway has taken. */
  void taken(Request request, int mote, String payload, long seq, long at, boolean expires) {
    Command command = new Command(mote, payload, seq, at, expires);
    all.add(command);
    synchronized (byText) {
      byText.put(new String(request.payload(), StandardCharsets.US_ASCII), command);
    }
  }

  /** A mote has carried out a command. */
  void acted(MoteReport.Acted acted) {
    Command command =
        all.stream()
            .filter(one -> one.payload.equals(acted.payload()))
            .findFirst()
            .orElseThrow(() -> new Violation(acted + ": nobody sent that command"));
    if (command.actedAt >= 0) {
      throw new Violation(command + " was carried out again");
    }
    if (command.mote != acted.mote()) {
      throw new Violation(command + " was carried out by mote-" + acted.mote());
    }
    command.actedAt = acted.at();
  }

  /** Takes note of what the gateway says; on the store's thread. */
  void follow(Change change) {
    for (Fact fact : change.facts()) {
      if (!fact.slot().equals(StoreSlots.COMMANDS) || fact.isNone()) {
        continue;
      }
      for (CommandQueue.Command one : CommandQueue.read(fact.body()).commands()) {
        Command command;
        synchronized (byText) {
          command = byText.get(one.jws());
        }
        if (command != null) {
          command.state = one.state();
          command.reason = one.reason();
        }
      }
    }
  }

  /** Every command has a final state, and it is true. */
  void requireTruthful() {
    for (Command command : all) {
      if (!command.lost) {
        requireTruthful(command);
      }
    }
  }

  private static void requireTruthful(Command command) {
    boolean acted = command.actedAt >= 0;
    var state = command.state;
    HistoryCheck.require(state != null, "%s has no state", command);
    switch (Objects.requireNonNull(state)) {
      case CONFIRMED ->
          HistoryCheck.require(acted, "%s is confirmed, and was not carried out", command);
      case REFUSED ->
          HistoryCheck.require(
              command.reason == BEGUN && command.restored || command.reason == FAILED,
              "%s is refused without a reason",
              command);
      case EXPIRED, CANCELLED ->
          HistoryCheck.require(
              !acted || command.restored, "%s ended, and was carried out", command);
      case QUEUED, FETCHED -> throw new Violation(command + " has no final state");
    }
  }
}
