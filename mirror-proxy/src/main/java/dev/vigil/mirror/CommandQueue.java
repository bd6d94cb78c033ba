package dev.vigil.mirror;

import dev.vigil.mirror.jose.Header;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.JsonText;
import dev.vigil.mirror.wire.WireReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands of one endpoint, in the order of their numbers: those that wait, and the last {@link
 * #REMEMBERED} that ended, so that an acknowledgement can come twice.
 *
 * @param last the highest number ever taken
 */
record CommandQueue(long last, List<Command> commands) {
  static final CommandQueue EMPTY = new CommandQueue(0, List.of());
  private static final int REMEMBERED = 16;
  private static final int SHORT_MASK = 0xffff;

  /**
   * @param jws as the commander signed it
   * @param state QUEUED and FETCHED wait alike: whoever asked for it may not have been the endpoint
   * @param queued unix time in seconds, as are the others; 0 where there is none
   */
  record Command(
      long seq,
      String path,
      String by,
      String jws,
      CommandView.State state,
      long queued,
      long expires,
      long ended) {

    boolean waits(long now) {
      return isOpen() && !(expires > 0 && now >= expires);
    }

    /** Whether nothing has ended it, its time aside. */
    boolean isOpen() {
      return switch (state) {
        case QUEUED, FETCHED -> true;
        case CONFIRMED, EXPIRED, CANCELLED -> false;
      };
    }

    private Command fetched() {
      return new Command(seq, path, by, jws, CommandView.State.FETCHED, queued, expires, ended);
    }

    private Command end(CommandView.State newState, long now) {
      return new Command(seq, path, by, jws, newState, queued, expires, now);
    }
  }

  CommandQueue {
    commands = List.copyOf(commands);
  }

  List<Command> waiting(long now) {
    return commands.stream().filter(c -> c.waits(now)).toList();
  }

  CommandQueue with(Command command, long now) {
    List<Command> next = new ArrayList<>(settled(now));
    next.add(command);
    return new CommandQueue(command.seq(), next);
  }

  /** That command handed out; the queue as it is when it had been, or no longer waits. */
  CommandQueue fetched(long seq, long now) {
    return new CommandQueue(
        last,
        commands.stream()
            .map(
                c ->
                    c.seq() == seq && c.waits(now) && c.state() == CommandView.State.QUEUED
                        ? c.fetched()
                        : c)
            .toList());
  }

  /** Those marked whose time is over. */
  CommandQueue expired(long now) {
    return new CommandQueue(last, settled(now));
  }

  /**
   * When the first that waits runs out, unix time in seconds; {@link Long#MAX_VALUE}: none does.
   */
  long nextExpiry() {
    return commands.stream()
        .filter(c -> c.isOpen() && c.expires() > 0)
        .mapToLong(Command::expires)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** That command carried out, or taken back. */
  CommandQueue ended(long seq, CommandView.State state, long now) {
    return new CommandQueue(
        last, settled(now).stream().map(c -> c.seq() == seq ? c.end(state, now) : c).toList());
  }

  /** Expired ones marked, old ended ones dropped. */
  private List<Command> settled(long now) {
    List<Command> marked =
        new ArrayList<>(
            commands.stream()
                .map(
                    c ->
                        c.isOpen() && !c.waits(now)
                            ? c.end(CommandView.State.EXPIRED, c.expires())
                            : c)
                .toList());
    long ended = marked.stream().filter(c -> c.ended() > 0).count();
    for (int i = 0; i < marked.size() && ended > REMEMBERED; ) {
      if (marked.get(i).ended() > 0) {
        marked.remove(i);
        ended--;
      } else {
        i++;
      }
    }
    return marked;
  }

  /** The newest command with those low 16 bits; {@link Header#ABSENT} when there is none. */
  long expandAck(long low) {
    return commands.reversed().stream()
        .mapToLong(Command::seq)
        .filter(seq -> (seq & SHORT_MASK) == low)
        .findFirst()
        .orElse(Header.ABSENT);
  }

  boolean waitsFor(long seq, long now) {
    return commands.stream().anyMatch(c -> c.seq() == seq && c.waits(now));
  }

  static Command of(Jws jws, String path, long now) {
    Header header = jws.header();
    String kid = header.kid();
    return new Command(
        header.seq(),
        path,
        kid == null ? "" : kid,
        new String(jws.octets(), StandardCharsets.US_ASCII),
        CommandView.State.QUEUED,
        now,
        Math.max(0, header.exp()),
        0);
  }

  byte[] body() {
    JsonText json = new JsonText().open('{').member("last", last).name("commands").open('[');
    for (Command c : commands) {
      json.open('{').member("seq", c.seq()).member("path", c.path()).member("by", c.by());
      json.member("state", c.state().name()).member("queued", c.queued());
      json.member("expires", c.expires()).member("ended", c.ended());
      json.member("jws", c.jws()).close('}');
    }
    return json.close(']').close('}').toOctets();
  }

  static CommandQueue read(byte[] body) {
    return new Reading(body).queue();
  }

  private static final class Reading {
    private final JsonReader json;
    private final List<Command> commands = new ArrayList<>();
    private long last;

    Reading(byte[] body) {
      json = new JsonReader(new WireReader(body));
    }

    CommandQueue queue() {
      json.object(
          name -> {
            switch (name) {
              case "last" -> last = json.integer();
              case "commands" -> json.array(() -> commands.add(new ReadingOne(json).command()));
              default -> json.skip();
            }
          });
      return new CommandQueue(last, commands);
    }
  }

  private static final class ReadingOne {
    private final JsonReader json;
    private long seq;
    private String path = "";
    private String by = "";
    private String jws = "";
    private CommandView.State state = CommandView.State.QUEUED;
    private long queued;
    private long expires;
    private long ended;

    ReadingOne(JsonReader json) {
      this.json = json;
    }

    Command command() {
      json.object(this::member);
      return new Command(seq, path, by, jws, state, queued, expires, ended);
    }

    private void member(String name) {
      switch (name) {
        case "seq" -> seq = json.integer();
        case "path" -> path = json.string();
        case "by" -> by = json.string();
        case "jws" -> jws = json.string();
        case "state" -> state = CommandView.State.valueOf(json.string());
        case "queued" -> queued = json.integer();
        case "expires" -> expires = json.integer();
        case "ended" -> ended = json.integer();
        default -> json.skip();
      }
    }
  }
}
