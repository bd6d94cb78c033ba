package dev.vigil.border;

import dev.vigil.border.ieee802154.Eui64;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The recordings of other implementations in {@code mote-firmware/vectors}. */
public final class Vectors {
  private static final HexFormat HEX = HexFormat.of();
  private static final Path FOLDER = Path.of(System.getProperty("vigil.vectors", "vectors"));
  private static final int SLIP_COMMAND = 0x21;
  private static final int SLIP_QUESTION = 0x3f;
  private static final int SEND = 0x53;

  private Vectors() {}

  /**
   * A frame on the air or on a slip line.
   *
   * @param psdu without FCS
   * @param withFcs as recorded, if the recording has the FCS
   * @param plain header and payload in clear of a secured frame
   * @param ipv6 the packet that this frame completed
   */
  public record RecordedFrame(
      String file,
      int line,
      byte[] psdu,
      byte @Nullable [] withFcs,
      byte @Nullable [] plain,
      byte @Nullable [] ipv6) {
    @Override
    public String toString() {
      return file + ":" + line;
    }
  }

  /** A packet that Linux sent, with its title and its frames without FCS. */
  public record LinuxPacket(String title, int line, byte[] ipv6, List<RecordedFrame> frames) {
    @Override
    public String toString() {
      return "6lowpan.txt:" + line + " " + title;
    }
  }

  /**
   * A packet with AH or ESP.
   *
   * @param layers AH or ESP with their algorithms, outermost first
   * @param plain the packet without these layers
   */
  public record ProtectedPacket(String title, List<String> layers, byte[] ipv6, byte[] plain) {
    @Override
    public String toString() {
      return title;
    }
  }

  /** All recordings of Contiki-NG. */
  public static List<String> contikiFiles() {
    try (Stream<Path> files = Files.list(FOLDER.resolve("contiki-ng"))) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The frames of a recording of Contiki-NG, in order. */
  public static List<RecordedFrame> contiki(String file) {
    List<String> lines = lines("contiki-ng/" + file);
    List<RecordedFrame> frames = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String[] words = lines.get(i).split("\\s+");
      if (words.length < 3 || lines.get(i).startsWith("#")) {
        continue;
      }
      byte[] octets = HEX.parseHex(words[2]);
      byte[] psdu =
          switch (words[1]) {
            case "*" -> withoutFcs(octets);
            case ">" -> sent(octets);
            default -> received(octets);
          };
      if (psdu != null) {
        frames.add(
            new RecordedFrame(
                file,
                i + 1,
                psdu,
                words[1].equals("*") ? octets : null,
                comment(lines, i + 1, "# plain: "),
                comment(lines, i + 1, "# ip6: ")));
      }
    }
    return frames;
  }

  /** The key of a recording with link-layer security. */
  public static byte[] linkKey(String file) {
    return lines("contiki-ng/" + file).stream()
        .filter(line -> line.startsWith("# key: "))
        .map(line -> HEX.parseHex(line.substring("# key: ".length())))
        .findFirst()
        .orElseThrow();
  }

  /** The packets sent by Linux. */
  public static List<LinuxPacket> linux() {
    List<String> lines = lines("linux/6lowpan.txt");
    List<LinuxPacket> packets = new ArrayList<>();
    String title = "";
    byte[] ipv6 = {};
    int start = 0;
    List<RecordedFrame> frames = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      String rest = line.substring(line.indexOf(' ') + 1);
      if (line.startsWith("vector ")) {
        title = rest;
        start = i + 1;
        frames = new ArrayList<>();
      } else if (line.startsWith("ipv6 ")) {
        ipv6 = HEX.parseHex(rest);
      } else if (line.startsWith("frame ")) {
        byte[] octets = HEX.parseHex(rest);
        frames.add(new RecordedFrame("6lowpan.txt", i + 1, withoutFcs(octets), octets, null, null));
      } else if (line.startsWith("check ")) {
        packets.add(new LinuxPacket(title, start, ipv6, List.copyOf(frames)));
      }
    }
    return packets;
  }

  /**
   * A packet in 6LoWPAN.
   *
   * @param source interface identifier of the frames' sender
   * @param destination interface identifier of the frames' receiver
   * @param headers the compressed headers
   * @param covered octets of the packet that the compressed headers represent
   */
  public record CompressedPacket(
      String title, byte[] ipv6, long source, long destination, byte[] headers, int covered) {
    @Override
    public String toString() {
      return title;
    }
  }

  /** Packets with AH and ESP after and around other headers, some of them random. */
  public static List<ProtectedPacket> protectedPackets() {
    return Stream.of("headers.txt", "chains.txt", "udp.txt")
        .flatMap(file -> protectedPackets("ipsec/" + file).stream())
        .toList();
  }

  /** The random packets with their compressed headers. */
  public static List<CompressedPacket> compressedPackets() {
    List<CompressedPacket> packets = new ArrayList<>();
    String title = "";
    byte[] ipv6 = {};
    long[] links = {};
    for (String line : lines("ipsec/chains.txt")) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "vector" -> title = line;
        case "ipv6" -> ipv6 = HEX.parseHex(words[1]);
        case "links" -> links = new long[] {interfaceId(words[1]), interfaceId(words[2])};
        case "lowpan" ->
            packets.add(
                new CompressedPacket(
                    title,
                    ipv6,
                    links[0],
                    links[1],
                    HEX.parseHex(words[1]),
                    Integer.parseInt(words[3])));
        default -> {}
      }
    }
    return packets;
  }

  private static long interfaceId(String eui64) {
    return new Eui64(Long.parseUnsignedLong(eui64, 16)).interfaceId();
  }

  private static List<ProtectedPacket> protectedPackets(String file) {
    List<ProtectedPacket> packets = new ArrayList<>();
    String title = "";
    List<String> layers = new ArrayList<>();
    byte[] ipv6 = {};
    for (String line : lines(file)) {
      String rest = line.substring(line.indexOf(' ') + 1);
      if (line.startsWith("vector ")) {
        title = rest;
        layers = new ArrayList<>();
      } else if (line.startsWith("layer ")) {
        layers.add(rest);
      } else if (line.startsWith("ipv6 ")) {
        ipv6 = HEX.parseHex(rest);
      } else if (line.startsWith("plain ")) {
        packets.add(new ProtectedPacket(title, layers, ipv6, HEX.parseHex(rest)));
      }
    }
    return packets;
  }

  /**
   * A file of associations.
   *
   * @param expected "accepts NUMBER" or "refuses SENTENCE"
   */
  public record AssociationText(String title, String text, String expected) {
    @Override
    public String toString() {
      return title;
    }
  }

  /** Files of associations, accepted and refused. */
  public static List<AssociationText> associationFiles() {
    List<AssociationText> files = new ArrayList<>();
    String title = "";
    StringBuilder text = new StringBuilder();
    for (String line : lines("ipsec/associations.txt")) {
      if (line.startsWith("case ")) {
        title = line.substring("case ".length());
        text = new StringBuilder();
      } else if (line.startsWith("| ")) {
        text.append(line.substring(2)).append('\n');
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        files.add(new AssociationText(title, text.toString(), line));
      }
    }
    return files;
  }

  /** The fields of each line of elided sequence numbers that begins with this word. */
  public static List<List<String>> elidedNumbers(String word) {
    return lines("ipsec/elided-numbers.txt").stream()
        .filter(line -> line.startsWith(word + " "))
        .map(line -> List.of(line.substring(word.length() + 1).split(" ")))
        .toList();
  }

  /** The fields of each stored block and its packets, by name. */
  public static List<Map<String, String>> storedBlocks() {
    List<Map<String, String>> blocks = new ArrayList<>();
    for (String line : lines("block-store/blocks.txt")) {
      if (line.startsWith("case ")) {
        blocks.add(new HashMap<>());
      }
      if (!line.isEmpty() && !line.startsWith("#")) {
        String[] field = line.split(" ", 2);
        blocks.getLast().put(field[0], field[1]);
      }
    }
    return blocks;
  }

  /**
   * A source route.
   *
   * @param path the addresses from the first router to the destination
   * @param packets without payload, as the root sends it and then as each router forwards it
   */
  public record RecordedRoute(String title, List<byte[]> path, List<byte[]> packets) {
    @Override
    public String toString() {
      return title;
    }
  }

  /** Source routes that elide all shared octets. */
  public static List<RecordedRoute> sourceRoutes() {
    List<RecordedRoute> routes = new ArrayList<>();
    String title = "";
    for (String line : lines("rpl/source-routes.txt")) {
      String rest = line.substring(line.indexOf(' ') + 1);
      if (line.startsWith("case ")) {
        title = rest;
      } else if (line.startsWith("path ")) {
        List<byte[]> path = Arrays.stream(rest.split(" ")).map(HEX::parseHex).toList();
        routes.add(new RecordedRoute(title, path, new ArrayList<>()));
      } else if (line.startsWith("ipv6 ")) {
        routes.getLast().packets().add(HEX.parseHex(rest));
      }
    }
    return routes;
  }

  /** Every frame of every recording. */
  public static List<RecordedFrame> all() {
    return Stream.concat(
            contikiFiles().stream().flatMap(file -> contiki(file).stream()),
            linux().stream().flatMap(packet -> packet.frames().stream()))
        .toList();
  }

  /** Every tenth frame of all recordings: seeds for fuzzing and for its regression run. */
  public static List<RecordedFrame> sample() {
    List<RecordedFrame> all = all();
    return IntStream.range(0, all.size()).filter(i -> i % 10 == 0).mapToObj(all::get).toList();
  }

  private static byte @Nullable [] comment(List<String> lines, int from, String mark) {
    for (int i = from; i < lines.size() && lines.get(i).startsWith("#"); i++) {
      if (lines.get(i).startsWith(mark)) {
        return HEX.parseHex(lines.get(i).substring(mark.length()).split("\\s+")[0]);
      }
    }
    return null;
  }

  private static byte[] withoutFcs(byte[] octets) {
    return Arrays.copyOf(octets, octets.length - 2);
  }

  /** {@code !S}, sequence id, attribute count, attributes of three octets, frame. */
  private static byte @Nullable [] sent(byte[] slip) {
    if (slip[0] != SLIP_COMMAND || slip[1] != SEND) {
      return null;
    }
    return Arrays.copyOfRange(slip, 4 + 3 * slip[3], slip.length);
  }

  private static byte @Nullable [] received(byte[] slip) {
    boolean text = true;
    for (byte octet : slip) {
      text &= octet >= ' ' && octet < 0x7f || octet == '\n' || octet == '\r';
    }
    return text || slip[0] == SLIP_COMMAND || slip[0] == SLIP_QUESTION ? null : slip;
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(FOLDER.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
