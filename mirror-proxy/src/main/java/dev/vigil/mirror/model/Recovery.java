package dev.vigil.mirror.model;

import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.wire.WireReader;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How far the block stores of an endpoint's mote were searched for readings that the mirror lacks.
 *
 * @param mote the address of the mote; no other endpoint gets its readings until an operator
 *     reassigns the block store
 * @param through gaps that ended by this time are filled as far as the block stores had readings
 * @param open what was searched for later gaps, by block store
 */
public record Recovery(String mote, Instant through, List<Progress> open) {
  /** The maximum number of {@link #open}; beyond it, the oldest gap is given up. */
  static final int MAX_OPEN = 256;

  public Recovery {
    through = through.truncatedTo(ChronoUnit.MILLIS);
    open = List.copyOf(open);
  }

  public Recovery(String mote, Instant through) {
    this(mote, through, List.of());
  }

  /**
   * How far a block store was searched for the readings of a gap. The readings of a taken block are
   * stored, as far as the mirror lacked them. Neither a block nor its number ever changes.
   *
   * @param from arrival of the update before the gap
   * @param to arrival of the update that ended the gap
   * @param file name of the block store
   * @param next all blocks before this number are taken, except the missing ones
   * @param missing numbers of the blocks that did not arrive
   */
  public record Progress(
      Instant from, Instant to, String file, long next, SortedSet<Long> missing) {
    /** Greater than all block numbers. */
    public static final long END = 1L << 32;

    public Progress {
      from = from.truncatedTo(ChronoUnit.MILLIS);
      to = to.truncatedTo(ChronoUnit.MILLIS);
    }

    private boolean isOf(Instant otherFrom, Instant otherTo, String otherFile) {
      return from.equals(otherFrom.truncatedTo(ChronoUnit.MILLIS))
          && to.equals(otherTo.truncatedTo(ChronoUnit.MILLIS))
          && file.equals(otherFile);
    }

    public boolean isComplete() {
      return next == END && missing.isEmpty();
    }

    /** Whether the readings of a block are stored. */
    public boolean isTaken(long block) {
      return block < next && !missing.contains(block);
    }

    /** The first block from a number on that is not taken; {@link #END} if all are. */
    public long following(long block) {
      SortedSet<Long> left = missing.tailSet(block);
      return left.isEmpty() ? Math.max(next, block) : left.first();
    }

    /**
     * After blocks were taken.
     *
     * @param first the first block that was asked for
     * @param end the first block after it that was not
     * @param absent those that did not arrive
     */
    public Progress after(long first, long end, Set<Long> absent) {
      SortedSet<Long> left = new TreeSet<>(missing);
      left.removeIf(block -> block >= first && block < end);
      absent.stream().filter(block -> block < end && !isTaken(block)).forEach(left::add);
      return new Progress(from, to, file, Math.max(next, end), left);
    }
  }

  /** How far a block store was searched for the readings of a gap. */
  public Progress progress(Instant from, Instant to, String file) {
    return open.stream()
        .filter(one -> one.isOf(from, to, file))
        .findAny()
        .orElseGet(() -> new Progress(from, to, file, 0, new TreeSet<>()));
  }

  /** With the progress in one block store. */
  public Recovery with(Progress progress) {
    List<Progress> all = new ArrayList<>(open);
    all.removeIf(one -> one.isOf(progress.from(), progress.to(), progress.file()));
    all.add(progress);
    Recovery changed = new Recovery(mote, through, all);
    return all.size() <= MAX_OPEN
        ? changed
        : changed.through(
            all.stream().map(Progress::to).min(Comparator.naturalOrder()).orElseThrow());
  }

  /** With all gaps filled that ended by a time. */
  public Recovery through(Instant filled) {
    return new Recovery(
        mote, filled, open.stream().filter(one -> one.to().isAfter(filled)).toList());
  }

  /** The body of a fact in {@link StoreSlots#RECOVERY}. */
  public byte[] body() {
    JsonWriter json =
        new JsonWriter()
            .open('{')
            .member("mote", mote)
            .member("through", through.toEpochMilli())
            .name("open")
            .open('[');
    open.forEach(one -> write(one, json));
    return json.close(']').close('}').toOctets();
  }

  private static void write(Progress progress, JsonWriter json) {
    json.open('{')
        .member("from", progress.from().toEpochMilli())
        .member("to", progress.to().toEpochMilli())
        .member("file", progress.file())
        .member("next", progress.next())
        .name("missing")
        .open('[');
    progress.missing().forEach(block -> json.raw(Long.toString(block)));
    json.close(']').close('}');
  }

  public static Recovery read(byte[] body) {
    var parts =
        new Object() {
          String mote = "";
          long through;
          final List<Progress> open = new ArrayList<>();
        };
    JsonReader json = new JsonReader(new WireReader(body));
    json.object(
        name -> {
          switch (name) {
            case "mote" -> parts.mote = json.string();
            case "through" -> parts.through = json.integer();
            case "open" -> json.array(() -> parts.open.add(progress(json)));
            default -> json.skip();
          }
        });
    return new Recovery(parts.mote, Instant.ofEpochMilli(parts.through), parts.open);
  }

  private static Progress progress(JsonReader json) {
    var parts =
        new Object() {
          long from;
          long to;
          String file = "";
          long next;
          final SortedSet<Long> missing = new TreeSet<>();
        };
    json.object(
        name -> {
          switch (name) {
            case "from" -> parts.from = json.integer();
            case "to" -> parts.to = json.integer();
            case "file" -> parts.file = json.string();
            case "next" -> parts.next = json.integer();
            case "missing" -> json.array(() -> parts.missing.add(json.integer()));
            default -> json.skip();
          }
        });
    return new Progress(
        Instant.ofEpochMilli(parts.from),
        Instant.ofEpochMilli(parts.to),
        parts.file,
        parts.next,
        parts.missing);
  }
}
