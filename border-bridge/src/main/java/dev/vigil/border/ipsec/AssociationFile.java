package dev.vigil.border.ipsec;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The file of associations (docs/protocol.md section 10.1): the associations of one node, one per
 * line. The mote's firmware reads the same format and refuses the same errors ({@code
 * apps/sa_file.c}).
 *
 * @param entries in the order of their lines
 */
public record AssociationFile(List<Entry> entries) {
  /** The number of entries that a mote can hold. */
  public static final int MOTE_ENTRIES = 16;

  /** The word for ESP with compressed UDP headers inside, which only our own hosts can read. */
  public static final String UDP_COMPRESSED = "esp-udp";

  private static final String NAMED_STORE = "store=";
  private static final int MIN_WORDS = 6;
  private static final int MAX_WORDS = 8;
  private static final Set<String> WITHOUT_ICV = Set.of("cbc", "ctr", "null");
  private static final String PROFILES =
      "cbc-xcbc, ctr-xcbc, cbc-sha1, ctr-sha1, cbc-sha256 or ccm8";

  public AssociationFile {
    entries = List.copyOf(entries);
  }

  /**
   * One line.
   *
   * @param line from 1
   * @param use its first word
   * @param store the name of its block store; empty for the unnamed one and for other uses
   * @param association named after its line
   */
  public record Entry(int line, Use use, String store, Profile profile, Association association) {
    /**
     * Whether packets are received under this association. For a block store, this is seen from its
     * requester.
     */
    public boolean inbound() {
      return use != Use.OUT;
    }

    /** The far end; for a block store, the node that stores. */
    public Ipv6Address peer() {
      return inbound() ? association.source() : association.destination();
    }

    /** The address of the node that has the file; for a block store, its requester. */
    public Ipv6Address own() {
      return inbound() ? association.destination() : association.source();
    }

    /** {@code in}, {@code out} or {@code store}. */
    public String direction() {
      return use.word();
    }
  }

  /** The first word of a line. */
  public enum Use {
    /** Protects packets that the node with the file receives. */
    IN("in"),
    /** Protects packets that the node with the file sends. */
    OUT("out"),
    /**
     * Protects blocks that the source stores for the destination; it is part of no peer's policy.
     */
    STORE("store");

    private final String word;

    Use(String word) {
      this.word = word;
    }

    /** The word in the file. */
    public String word() {
      return word;
    }

    static Optional<Use> of(String word) {
      return Arrays.stream(values()).filter(use -> use.word.equals(word)).findFirst();
    }
  }

  /**
   * A place that one association can take. A peer has one in each direction; a block store has two
   * for each requester, the second for its next key.
   */
  private record Slot(
      Use use,
      String store,
      String header,
      Ipv6Address peer,
      @Nullable Ipv6Address requester,
      boolean second) {
    static Slot of(Entry entry) {
      return new Slot(
          entry.use(),
          entry.store(),
          entry.profile().header(),
          entry.peer(),
          entry.use() == Use.STORE ? entry.own() : null,
          false);
    }

    Slot reversed() {
      return new Slot(use == Use.IN ? Use.OUT : Use.IN, store, header, peer, null, false);
    }

    /** This slot, or the second slot if a block store's first key has taken this one. */
    Slot free(Set<Slot> taken) {
      return use == Use.STORE && taken.contains(this)
          ? new Slot(use, store, header, peer, requester, true)
          : this;
    }
  }

  /**
   * Parses the text of a file.
   *
   * @param most the number of associations that the file may have
   * @throws WireException with a sentence that names the line, and never a key
   */
  public static AssociationFile parse(String text, int most) throws WireException {
    List<Entry> entries = new ArrayList<>();
    AssociationRules rules = new AssociationRules(false);
    Map<Slot, Integer> slots = new HashMap<>();
    String[] lines = text.split("\n", -1);
    for (int number = 1; number <= lines.length; number++) {
      List<String> words = words(lines[number - 1]);
      if (words.isEmpty()) {
        continue;
      }
      if (entries.size() == most) {
        throw wrong(number, "more than " + most + " associations");
      }
      Entry entry = entry(number, words);
      try {
        rules.add(entry.association());
      } catch (IllegalArgumentException e) {
        throw new WireException(Drop.BAD_TEXT, String.valueOf(e.getMessage()));
      }
      Integer other = slots.put(Slot.of(entry).free(slots.keySet()), number);
      if (other != null) {
        throw wrong(
            number, "line " + other + " already has this protocol and direction for this peer");
      }
      entries.add(entry);
    }
    return new AssociationFile(entries);
  }

  /** Warnings about these associations, with line numbers. */
  public List<String> warnings() {
    List<String> sentences = new ArrayList<>();
    warningsByLine()
        .forEach(
            (line, warnings) ->
                warnings.forEach(warning -> sentences.add("line " + line + ": " + warning)));
    return sentences;
  }

  /** Warnings about each association, by its line, in order. */
  public Map<Integer, List<String>> warningsByLine() {
    Set<Slot> slots = entries.stream().map(Slot::of).collect(Collectors.toSet());
    Map<Integer, List<String>> warnings = new TreeMap<>();
    for (Entry entry : entries) {
      List<String> all = new ArrayList<>(AssociationRules.warnings(entry.association()));
      if (entry.use() != Use.STORE && !slots.contains(Slot.of(entry).reversed())) {
        all.add(
            "nothing protects the %s direction with %s: add an association for it"
                .formatted(entry.inbound() ? "sending" : "receiving", entry.peer()));
      }
      warnings.put(entry.line(), all);
    }
    return warnings;
  }

  /** The words of a line up to its comment. */
  private static List<String> words(String line) {
    int comment = line.indexOf('#');
    String content = comment < 0 ? line : line.substring(0, comment);
    return Stream.of(content.split("[ \t\r]+")).filter(word -> !word.isEmpty()).toList();
  }

  private static Entry entry(int line, List<String> words) throws WireException {
    if (words.size() < MIN_WORDS || words.size() > MAX_WORDS) {
      throw wrong(
          line, "give: in|out|store esp|esp-udp|ah PROFILE SPI SOURCE DESTINATION KEY [KEY]");
    }
    String store = store(line, words.get(0));
    Use use =
        Use.of(store.isEmpty() ? words.get(0) : Use.STORE.word())
            .orElseThrow(
                () ->
                    wrong(
                        line,
                        "the first word is in or out, seen from the node that has the file, or"
                            + " store"));
    boolean udpCompressed = words.get(1).equals(UDP_COMPRESSED);
    Profile profile = profile(line, udpCompressed ? "esp" : words.get(1), words.get(2));
    if (use == Use.STORE && (udpCompressed || profile != Profile.CTR_XCBC)) {
      throw wrong(line, "blocks are stored with esp ctr-xcbc");
    }
    int spi = spi(line, words.get(3));
    Ipv6Address source = address(line, words.get(4));
    Ipv6Address destination = address(line, words.get(5));
    Association.Protection protection =
        protection(line, profile, udpCompressed, words.subList(MIN_WORDS, words.size()));
    Association association =
        new Association(
            "line " + line, source, destination, spi, protection, Association.DEFAULT_WINDOW);
    return new Entry(line, use, store, profile, association);
  }

  /** The name in {@code store=NAME}; empty for any other word. */
  private static String store(int line, String word) throws WireException {
    if (!word.startsWith(NAMED_STORE)) {
      return "";
    }
    String name = word.substring(NAMED_STORE.length());
    if (!name.matches("[a-z0-9-]{1,15}")) {
      throw wrong(line, "the name of a block store is 1 to 15 of a to z, 0 to 9 and -");
    }
    return name;
  }

  private static Profile profile(int line, String header, String name) throws WireException {
    if (WITHOUT_ICV.contains(name)) {
      throw wrong(line, "no ICV protects these packets: give " + PROFILES);
    }
    return Profile.of(name)
        .filter(profile -> profile.header().equals(header))
        .orElseThrow(
            () ->
                wrong(
                    line,
                    "give esp or esp-udp with " + PROFILES + ", or ah with ah-sha1 or ah-xcbc"));
  }

  private static int spi(int line, String word) throws WireException {
    int spi =
        word.matches("0x[0-9a-fA-F]{1,8}") ? Integer.parseUnsignedInt(word.substring(2), 16) : 0;
    if (spi == 0) {
      throw wrong(line, "the SPI is 0x and one to eight hexadecimal digits, not 0");
    }
    return spi;
  }

  private static Ipv6Address address(int line, String word) throws WireException {
    try {
      Ipv6Address address = Ipv6Address.parse(word);
      if (!address.isMulticast() && !address.isUnspecified()) {
        return address;
      }
    } catch (WireException e) {
      // Reported below.
    }
    throw wrong(line, "source and destination are unicast IPv6 addresses");
  }

  private static Association.Protection protection(
      int line, Profile profile, boolean udpCompressed, List<String> words) throws WireException {
    boolean cipher = profile.cipherKey() > 0;
    boolean integrity = profile.integrityKey() > 0;
    if (words.size() == (cipher ? 1 : 0) + (integrity ? 1 : 0)) {
      try {
        byte[] first = Hex.parse(cipher ? words.getFirst() : "");
        byte[] second = Hex.parse(integrity ? words.getLast() : "");
        if (first.length == profile.cipherKey() && second.length == profile.integrityKey()) {
          return profile.with(first, second, udpCompressed);
        }
      } catch (WireException e) {
        // Reported below.
      }
    }
    throw wrong(
        line,
        "the keys do not have the profile's sizes: cipher 16 octets (ctr 20, ccm8 19, with the salt)"
            + ", integrity 16 (sha1 20, sha256 32, ccm8 none), in hexadecimal digits");
  }

  private static WireException wrong(int line, String sentence) {
    return new WireException(Drop.BAD_TEXT, "line " + line + ": " + sentence);
  }
}
