package dev.vigil.border.ether;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.wire.WireException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The links of the virtual air: which node hears which.
 *
 * <p>A topology file has one edge per line, {@code a b [loss [delay]]}: {@code a} and {@code b} are
 * EUI-64s (16 hex digits, colons or hyphens allowed) or node indexes. Index 0 is the gateway's own
 * node; the others count from 1 in the order of their first packet. {@code loss} is a probability
 * from 0 to 1. {@code delay} is the number of milliseconds added to the airtime. An edge applies in
 * both directions; {@code a > b loss delay} applies in one direction. {@code #} starts a comment.
 * Nodes without an edge hear nothing.
 */
public final class Topology {
  private static final int MAX_EDGES = 65_536;

  /**
   * The quality of the link from one node to another.
   *
   * @param loss probability from 0 to 1 that a frame is lost
   * @param delayNanos nanoseconds between the end of the frame and its arrival
   */
  public record Edge(double loss, long delayNanos) {
    static final Edge PERFECT = new Edge(0, 0);

    /** Checks the ranges. */
    public Edge {
      if (!(loss >= 0 && loss <= 1) || delayNanos < 0 || delayNanos > 10_000_000_000L) {
        throw new IllegalArgumentException("loss must be 0 to 1, delay 0 to 10000 ms");
      }
    }
  }

  /**
   * A node, named in a topology file by index or EUI-64.
   *
   * @param index 0 for the gateway's own node; other nodes count from 1 in order of appearance
   * @param eui64 null until it is known
   */
  record Node(int index, @Nullable Eui64 eui64) {
    private List<String> names() {
      String number = Integer.toString(index);
      return eui64 == null ? List.of(number) : List.of(eui64.toString(), number);
    }
  }

  private record Pair(String from, String to) {}

  private final boolean flat;
  private final Map<Pair, Edge> edges;

  private Topology(boolean flat, Map<Pair, Edge> edges) {
    this.flat = flat;
    this.edges = edges;
  }

  /** Every node hears every other, without loss. */
  public static Topology everyone() {
    return new Topology(true, Map.of());
  }

  /**
   * Reads the text of a topology file.
   *
   * @throws IllegalArgumentException naming the wrong line
   */
  public static Topology parse(String text) {
    Map<Pair, Edge> edges = new HashMap<>();
    int number = 0;
    for (String raw : text.split("\n", -1)) {
      number++;
      String line = raw.replaceFirst("#.*", "").strip();
      if (!line.isEmpty()) {
        try {
          addEdges(line, edges);
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
        }
      }
      if (edges.size() > MAX_EDGES) {
        throw new IllegalArgumentException("more than " + MAX_EDGES + " edges");
      }
    }
    return new Topology(false, Map.copyOf(edges));
  }

  private static void addEdges(String line, Map<Pair, Edge> edges) {
    boolean oneWay = line.contains(">");
    String[] word = line.replace(">", " ").strip().split("\\s+");
    if (word.length < 2 || word.length > 4) {
      throw new IllegalArgumentException("expected: a b [loss [delay]]");
    }
    double loss = word.length > 2 ? Double.parseDouble(word[2]) : 0;
    double millis = word.length > 3 ? Double.parseDouble(word[3]) : 0;
    Edge edge = new Edge(loss, Math.round(millis * 1e6));
    String from = nodeName(word[0]);
    String to = nodeName(word[1]);
    edges.put(new Pair(from, to), edge);
    if (!oneWay) {
      edges.put(new Pair(to, from), edge);
    }
  }

  private static String nodeName(String word) {
    if (word.matches("[0-9]{1,9}")) {
      return Integer.toString(Integer.parseInt(word));
    }
    try {
      return Eui64.parse(word).toString();
    } catch (WireException e) {
      throw new IllegalArgumentException("neither an EUI-64 nor an index: " + word, e);
    }
  }

  /**
   * The edge from one node to another; empty if there is none. EUI-64s take precedence over
   * indexes, later lines over earlier ones.
   */
  Optional<Edge> edge(Node from, Node to) {
    if (from.index() == to.index()) {
      return Optional.empty();
    }
    if (flat) {
      return Optional.of(Edge.PERFECT);
    }
    for (String sender : from.names()) {
      for (String receiver : to.names()) {
        Edge edge = edges.get(new Pair(sender, receiver));
        if (edge != null) {
          return Optional.of(edge);
        }
      }
    }
    return Optional.empty();
  }
}
