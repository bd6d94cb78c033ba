package dev.vigil.border.associations;

import dev.vigil.border.ipsec.AssociationFile;
import dev.vigil.border.ipsec.AssociationFile.Entry;
import dev.vigil.border.ipsec.AssociationFile.Use;
import dev.vigil.border.ipsec.InboundAssociation;
import dev.vigil.border.ipsec.IpsecHeaders;
import dev.vigil.border.ipsec.OutboundAssociation;
import dev.vigil.border.ipsec.SequenceCounter;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.ipv6.Protocol;
import dev.vigil.border.storage.DurableCounters;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The databases of RFC 4301, section 4.4: the associations that end at this host, and the policy
 * for each peer. If a peer has associations, its packets must be protected by exactly these
 * associations, in either direction. Packets of other peers pass in clear or are discarded. Belongs
 * to the pipeline thread, except {@link #statuses}.
 */
public final class SecurityAssociations {
  private static final Logger LOG = LoggerFactory.getLogger(SecurityAssociations.class);

  /** The number of sent packets for which one durable write reserves numbers. */
  private static final int STEP = 1_024;

  private final SequenceRecords records;
  private final RandomGenerator random;
  private final Map<String, Long> unsaved = new HashMap<>();
  private final StorageAssociations blockStores = new StorageAssociations();
  private final CompressionSavings savings = new CompressionSavings();
  private Map<Selector, RunningAssociation> selectors = Map.of();
  private Map<Ipv6Address, PeerPolicy> peers = Map.of();
  private Map<String, RunningAssociation> byRecord = Map.of();
  private boolean discardOthers;

  /** Whether the last write succeeded. A lasting failure is logged only once. */
  private boolean saving = true;

  private volatile List<AssociationStatus> statuses = List.of();

  /** The lookup key of an association (RFC 4301, section 4.1). It is unique. */
  private record Selector(Ipv6Address destination, int protocol, int spi) {}

  /**
   * @param random a cryptographic source, for the IVs of CBC
   */
  public SecurityAssociations(DurableCounters counters, RandomGenerator random) {
    this.records = new SequenceRecords(counters);
    this.random = random;
  }

  /**
   * Replaces all associations. Associations with the same keys, SPI and destination continue with
   * their numbers and windows.
   *
   * @param discard whether packets in clear of peers without associations are dropped
   * @param neverUsed whether an operator states that associations without a record were never used
   * @throws IOException if a record cannot be written; nothing has changed then
   */
  public InstallReport install(AssociationFile file, boolean discard, boolean neverUsed)
      throws IOException {
    Map<String, Entry> wanted = new LinkedHashMap<>();
    file.entries().stream()
        .filter(entry -> entry.use() != Use.STORE)
        .forEach(entry -> wanted.put(SequenceRecords.name(entry), entry));
    try {
      records.begin(wanted.values(), neverUsed);
    } catch (IOException e) {
      throw new IOException(
          "the record of sequence numbers cannot be written (%s): nothing was changed"
              .formatted(e.getMessage()),
          e);
    }
    Map<String, RunningAssociation> before = byRecord;
    Map<String, RunningAssociation> running = new LinkedHashMap<>();
    wanted.forEach((name, entry) -> running.put(name, kept(before, name, entry)));
    int kept = (int) running.keySet().stream().filter(before::containsKey).count();
    use(file, wanted, running, discard);
    return new InstallReport(
        running.size() - kept, kept, before.size() - kept, stopped(wanted, running));
  }

  private RunningAssociation kept(
      Map<String, RunningAssociation> before, String name, Entry entry) {
    RunningAssociation running = before.get(name);
    if (running == null) {
      return resumed(name, entry, 0);
    }
    return running.carries(entry.association()) ? running : resumed(name, entry, running.top());
  }

  /**
   * @param top the highest number that was received, which may not be stored yet
   */
  private RunningAssociation resumed(String name, Entry entry, long top) {
    OptionalLong number = records.number(entry);
    if (number.isEmpty()) {
      return RunningAssociation.stopped(name);
    }
    if (entry.inbound()) {
      return RunningAssociation.receiving(
          name, new InboundAssociation(entry.association(), Math.max(number.getAsLong(), top)));
    }
    SequenceCounter counter = new SequenceCounter(number, STEP, upTo -> reserve(entry, upTo));
    return RunningAssociation.sending(
        name, new OutboundAssociation(entry.association(), counter, random));
  }

  private void reserve(Entry entry, long upTo) {
    try {
      records.reserve(entry, upTo);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void use(
      AssociationFile file,
      Map<String, Entry> wanted,
      Map<String, RunningAssociation> running,
      boolean discard) {
    Map<Selector, RunningAssociation> bySelector = new HashMap<>();
    Map<Ipv6Address, PeerPolicy> policies = new HashMap<>();
    Map<Integer, List<String>> warnings = file.warningsByLine();
    List<AssociationStatus> list = new ArrayList<>();
    wanted.forEach(
        (name, entry) -> {
          RunningAssociation association = Objects.requireNonNull(running.get(name));
          int protocol = entry.association().protection().protocol();
          bySelector.put(
              new Selector(entry.association().destination(), protocol, entry.association().spi()),
              association);
          policies.merge(
              entry.peer(), PeerPolicy.of(entry.inbound(), protocol, association), PeerPolicy::and);
          list.add(association.status(entry, warnings.getOrDefault(entry.line(), List.of())));
        });
    selectors = bySelector;
    peers = policies;
    byRecord = running;
    discardOthers = discard;
    List<Entry> stored = file.entries().stream().filter(entry -> entry.use() == Use.STORE).toList();
    list.addAll(blockStores.install(stored, warnings));
    list.sort(Comparator.comparingInt(AssociationStatus::line));
    statuses = List.copyOf(list);
  }

  private List<String> stopped(Map<String, Entry> wanted, Map<String, RunningAssociation> running) {
    List<String> sentences = new ArrayList<>();
    wanted.forEach(
        (name, entry) -> {
          if (Objects.requireNonNull(running.get(name)).isStopped()) {
            sentences.add("line %d: %s".formatted(entry.line(), records.whyMissing()));
          }
        });
    return sentences;
  }

  /** The associations of motes' block stores. They are part of no peer's policy. */
  public StorageAssociations blockStores() {
    return blockStores;
  }

  /** The associations in the order of their file. May be called from any thread. */
  public List<AssociationStatus> statuses() {
    return statuses;
  }

  /**
   * Applies the policy to a packet to this host.
   *
   * @return the packet itself if it may come in clear; otherwise the opened packet, which must not
   *     be delivered before {@link #persist} was called
   */
  public Ipv6Packet open(Ipv6Packet packet) throws WireException {
    if (peers.isEmpty() && !discardOthers) {
      return packet;
    }
    IpsecHeaders headers = IpsecHeaders.of(packet);
    PeerPolicy policy = peers.get(packet.source());
    if (headers.isClear()) {
      refuseClear(policy);
      return packet;
    }
    RunningAssociation ah = find(packet, Protocol.AH, headers.ah());
    RunningAssociation esp = find(packet, Protocol.ESP, headers.esp());
    // Refuses a missing or unexpected layer before any key is used.
    if (policy == null || !policy.receives(ah, esp)) {
      (esp == null ? Objects.requireNonNull(ah) : esp).dropped(Drop.POLICY);
      throw new WireException(Drop.POLICY, "not protected as agreed");
    }
    Ipv6Packet open = packet;
    if (ah != null) {
      open = opened(ah, open);
    }
    if (esp != null) {
      open = opened(esp, open);
    }
    savings.opened(packet);
    return open;
  }

  /** The association of this destination, protocol and SPI. */
  @Nullable RunningAssociation find(Ipv6Address destination, int protocol, int spi) {
    return selectors.get(new Selector(destination, protocol, spi));
  }

  private void refuseClear(@Nullable PeerPolicy policy) throws WireException {
    RunningAssociation should = policy == null ? null : policy.receiving();
    if (should != null) {
      should.dropped(Drop.POLICY);
    }
    if (should != null || policy == null && discardOthers) {
      throw new WireException(Drop.POLICY, "in clear");
    }
  }

  private @Nullable RunningAssociation find(Ipv6Packet packet, int protocol, OptionalInt spi)
      throws WireException {
    if (spi.isEmpty()) {
      return null;
    }
    RunningAssociation found = find(packet.destination(), protocol, spi.getAsInt());
    if (found == null) {
      throw new WireException(Drop.SA_UNKNOWN);
    }
    return found;
  }

  private Ipv6Packet opened(RunningAssociation association, Ipv6Packet packet)
      throws WireException {
    Ipv6Packet open = association.open(packet);
    unsaved.put(association.record(), association.top());
    return open;
  }

  /**
   * Counts octets that compression saved in the frames of a packet. The saving of a received packet
   * counts once {@link #open} has opened it.
   *
   * @param packet as on the air, in either direction; any packet
   */
  public void saved(Ipv6Packet packet, int octets) {
    try {
      IpsecHeaders headers = IpsecHeaders.of(packet);
      boolean esp = headers.esp().isPresent();
      OptionalInt spi = esp ? headers.esp() : headers.ah();
      if (spi.isPresent()) {
        RunningAssociation association =
            find(packet.finalDestination(), esp ? Protocol.ESP : Protocol.AH, spi.getAsInt());
        if (association != null) {
          savings.saved(packet, association, octets);
        }
      }
    } catch (WireException e) {
      // The packet is dropped, and counted, where it is routed.
    }
  }

  /** Makes the windows durable; false if opened packets must be withheld. */
  public boolean persist() {
    if (unsaved.isEmpty()) {
      return true;
    }
    try {
      records.save(unsaved);
      unsaved.clear();
      saving = true;
      return true;
    } catch (IOException e) {
      if (saving) {
        LOG.error(
            "cannot save the replay windows; the packets received in AH or ESP are dropped: {}",
            e.getMessage());
      }
      saving = false;
      return false;
    }
  }

  /**
   * Protects a packet of this host.
   *
   * @return the packet itself if it may leave in clear
   * @throws UncheckedIOException if a number cannot be reserved
   */
  public Ipv6Packet protect(Ipv6Packet packet) throws WireException {
    PeerPolicy policy = peers.get(packet.destination());
    if (policy == null && discardOthers && !packet.destination().isMulticast()) {
      throw new WireException(Drop.POLICY, "would leave in clear");
    }
    return policy == null ? packet : policy.protect(packet);
  }
}
