package dev.vigil.mirror.model;

import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.ProtectedHeader;
import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.wire.WireReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one endpoint, ordered by number: the pending ones and the last {@link #MAX_ENDED}
 * that ended. Ended commands are kept because an acknowledgement may arrive twice (docs/protocol.md
 * section 8).
 *
 * @param last the highest number ever accepted
 */
public record CommandQueue(long last, List<Command> commands) {
  public static final CommandQueue EMPTY = new CommandQueue(0, List.of());
  private static final int MAX_ENDED = 16;
  private static final int SHORT_MASK = 0xffff;

  /**
   * @param commander the thumbprint of the commander's key
   * @param jws as the commander signed it
   * @param state QUEUED and FETCHED commands are both pending, because the answer to a fetch may
   *     have been lost
   * @param queuedAt unix time in seconds
   * @param expiresAt unix time in seconds; 0 if never
   * @param endedAt unix time in seconds; 0 while pending
   * @param reason why the endpoint refused it; 0 if it did not
   * @param refusal the digest of the endpoint's refusal, base64url; empty if none
   */
  public record Command(
      long seq,
      String path,
      String commander,
      String jws,
      CommandView.State state,
      long queuedAt,
      long expiresAt,
      long endedAt,
      int reason,
      String refusal) {

    /** Whether the endpoint may still carry it out. */
    public boolean isPending(long now) {
      return isOpen() && !(expiresAt > 0 && now >= expiresAt);
    }

    /** Whether the command has not been ended; its time may be over. */
    public boolean isOpen() {
      return switch (state) {
        case QUEUED, FETCHED -> true;
        case CONFIRMED, REFUSED, EXPIRED, CANCELLED -> false;
      };
    }

    /**
     * Whether an acknowledgement or a refusal still ends the command. The endpoint may have begun
     * it before it expired or before an operator cancelled it.
     */
    boolean hasNoResult() {
      return switch (state) {
        case QUEUED, FETCHED, EXPIRED, CANCELLED -> true;
        case CONFIRMED, REFUSED -> false;
      };
    }

    private Command fetched() {
      return in(CommandView.State.FETCHED, endedAt, 0, "");
    }

    private Command ended(CommandView.State newState, long now) {
      return in(newState, now, 0, "");
    }

    private Command in(CommandView.State newState, long ended, int newReason, String newRefusal) {
      return new Command(
          seq, path, commander, jws, newState, queuedAt, expiresAt, ended, newReason, newRefusal);
    }
  }

  public CommandQueue {
    commands = List.copyOf(commands);
  }

  /** The queue of an endpoint; empty if it never had a command. */
  public static CommandQueue of(@Nullable MirroredEndpoint endpoint) {
    return endpoint == null || endpoint.commands() == null ? EMPTY : endpoint.commands();
  }

  public List<Command> pending(long now) {
    return commands.stream().filter(c -> c.isPending(now)).toList();
  }

  /**
   * Whether the queue accepts no further command.
   *
   * @param limit maximum number of pending commands
   */
  public boolean isFull(int limit, long now) {
    return pending(now).size() >= limit;
  }

  public boolean isPending(long seq, long now) {
    return commands.stream().anyMatch(c -> c.seq() == seq && c.isPending(now));
  }

  /** Whether there is a command with that number of which the endpoint has sent no result. */
  public boolean hasNoResult(long seq) {
    return commands.stream().anyMatch(c -> c.seq() == seq && c.hasNoResult());
  }

  public CommandQueue withQueued(Command command, long now) {
    List<Command> next = new ArrayList<>(cleanedUp(now));
    next.add(command);
    return new CommandQueue(command.seq(), next);
  }

  /**
   * Marks a command as fetched; returns an equal queue if the command is not QUEUED and pending.
   */
  public CommandQueue withFetched(long seq, long now) {
    return new CommandQueue(
        last,
        commands.stream()
            .map(
                c ->
                    c.seq() == seq && c.isPending(now) && c.state() == CommandView.State.QUEUED
                        ? c.fetched()
                        : c)
            .toList());
  }

  /** Marks the commands whose time is over as expired. */
  public CommandQueue withExpired(long now) {
    return new CommandQueue(last, cleanedUp(now));
  }

  /**
   * @param state CONFIRMED or CANCELLED
   */
  public CommandQueue withEnded(long seq, CommandView.State state, long now) {
    return new CommandQueue(
        last, cleanedUp(now).stream().map(c -> c.seq() == seq ? c.ended(state, now) : c).toList());
  }

  /** Cancels all pending commands. */
  public CommandQueue withNonePending(long now) {
    return new CommandQueue(
        last,
        cleanedUp(now).stream()
            .map(c -> c.isOpen() ? c.ended(CommandView.State.CANCELLED, now) : c)
            .toList());
  }

  /**
   * Ends a command that the endpoint did not carry out.
   *
   * @param refusal the digest of its signed refusal, to recognise a repetition
   */
  public CommandQueue withRefused(long seq, int reason, String refusal, long now) {
    return new CommandQueue(
        last,
        cleanedUp(now).stream()
            .map(c -> c.seq() == seq ? c.in(CommandView.State.REFUSED, now, reason, refusal) : c)
            .toList());
  }

  /** Whether a refusal with this digest ended a command. */
  public boolean isEndedBy(String refusal) {
    return commands.stream().anyMatch(c -> c.refusal().equals(refusal));
  }

  /** The queue of a forgotten endpoint: only the last number stays, as H does. */
  public CommandQueue withoutCommands() {
    return new CommandQueue(last, List.of());
  }

  /**
   * The expiry of the first open command, unix time in seconds; {@link Long#MAX_VALUE} if never.
   */
  public long nextExpiry() {
    return commands.stream()
        .filter(c -> c.isOpen() && c.expiresAt() > 0)
        .mapToLong(Command::expiresAt)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** The commands with expired ones marked and only the last ended ones kept. */
  private List<Command> cleanedUp(long now) {
    List<Command> marked =
        new ArrayList<>(
            commands.stream()
                .map(
                    c ->
                        c.isOpen() && !c.isPending(now)
                            ? c.ended(CommandView.State.EXPIRED, c.expiresAt())
                            : c)
                .toList());
    long ended = marked.stream().filter(c -> c.endedAt() > 0).count();
    for (int i = 0; i < marked.size() && ended > MAX_ENDED; ) {
      if (marked.get(i).endedAt() > 0) {
        marked.remove(i);
        ended--;
      } else {
        i++;
      }
    }
    return marked;
  }

  /**
   * The number of the newest command with these low 16 bits (docs/protocol.md section 4).
   *
   * @return {@link ProtectedHeader#ABSENT} if there is none
   */
  public long expandAck(long low) {
    return commands.reversed().stream()
        .mapToLong(Command::seq)
        .filter(seq -> (seq & SHORT_MASK) == low)
        .findFirst()
        .orElse(ProtectedHeader.ABSENT);
  }

  /** A new command, queued at {@code now}. */
  public static Command command(Jws jws, String path, long now) {
    ProtectedHeader header = jws.header();
    String kid = header.kid();
    return new Command(
        header.seq(),
        path,
        kid == null ? "" : kid,
        new String(jws.octets(), StandardCharsets.US_ASCII),
        CommandView.State.QUEUED,
        now,
        Math.max(0, header.exp()),
        0,
        0,
        "");
  }

  /** The JSON form in the store, which {@link #read} reads. */
  public byte[] body() {
    JsonWriter json = new JsonWriter().open('{').member("last", last).name("commands").open('[');
    for (Command c : commands) {
      json.open('{').member("seq", c.seq()).member("path", c.path()).member("by", c.commander());
      json.member("state", c.state().name()).member("queued", c.queuedAt());
      json.member("expires", c.expiresAt()).member("ended", c.endedAt());
      if (c.reason() != 0) {
        json.member("reason", c.reason()).member("refusal", c.refusal());
      }
      json.member("jws", c.jws()).close('}');
    }
    return json.close(']').close('}').toOctets();
  }

  public static CommandQueue read(byte[] body) {
    return new Parser(body).queue();
  }

  private static final class Parser {
    private final JsonReader json;
    private final List<Command> commands = new ArrayList<>();
    private long last;

    Parser(byte[] body) {
      json = new JsonReader(new WireReader(body));
    }

    CommandQueue queue() {
      json.object(
          name -> {
            switch (name) {
              case "last" -> last = json.integer();
              case "commands" -> json.array(() -> commands.add(new CommandParser(json).command()));
              default -> json.skip();
            }
          });
      return new CommandQueue(last, commands);
    }
  }

  private static final class CommandParser {
    private final JsonReader json;
    private long seq;
    private String path = "";
    private String commander = "";
    private String jws = "";
    private CommandView.State state = CommandView.State.QUEUED;
    private long queuedAt;
    private long expiresAt;
    private long endedAt;
    private int reason;
    private String refusal = "";

    CommandParser(JsonReader json) {
      this.json = json;
    }

    Command command() {
      json.object(this::member);
      return new Command(
          seq, path, commander, jws, state, queuedAt, expiresAt, endedAt, reason, refusal);
    }

    private void member(String name) {
      switch (name) {
        case "seq" -> seq = json.integer();
        case "path" -> path = json.string();
        case "by" -> commander = json.string();
        case "jws" -> jws = json.string();
        case "state" -> state = CommandView.State.valueOf(json.string());
        case "queued" -> queuedAt = json.integer();
        case "expires" -> expiresAt = json.integer();
        case "ended" -> endedAt = json.integer();
        case "reason" -> reason = (int) json.integer();
        case "refusal" -> refusal = json.string();
        default -> json.skip();
      }
    }
  }
}
