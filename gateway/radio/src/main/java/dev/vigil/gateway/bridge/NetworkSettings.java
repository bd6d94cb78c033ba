package dev.vigil.gateway.bridge;

import dev.vigil.border.tun.PacketFilter;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.bridge.NetworkSettingsRecord.LinkSecurityRecord;
import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.confidential.SecretSealer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The settings of the radio network. Settings in the file take precedence over settings that
 * administrators stored, and these over the defaults. The bridge reads them when the gateway
 * starts.
 */
@Component
public class NetworkSettings {
  private static final Logger log = LoggerFactory.getLogger(NetworkSettings.class);
  private static final String ID = "network";

  /** In a cluster each gateway has its own radios. */
  private static final int MAX = 1_000;

  /** The owner of the sealed key. */
  private static final String CONTEXT = "link key of the radio network";

  private final String id;
  private final BorderProperties file;
  private final RecordSet<NetworkSettingsRecord> stored;
  private final SecretSealer sealer;
  private final long versionAtStart;
  private volatile BorderProperties inForce;
  private volatile @Nullable String problem;

  NetworkSettings(
      BorderProperties file, Records records, SecretSealer sealer, ClusterProperties cluster) {
    this.id = cluster.isShared() ? ID + "@" + cluster.gateway() : ID;
    this.file = file;
    this.sealer = sealer;
    this.stored = records.of("network-settings", NetworkSettingsRecord.class, MAX);
    this.versionAtStart = version();
    this.inForce = atStart();
  }

  private BorderProperties atStart() {
    NetworkSettingsRecord settings = stored().map(Versioned::value).orElse(null);
    if (settings == null) {
      return file;
    }
    try {
      BorderProperties merged = merged(settings);
      if (!merged.radios().isEmpty()) {
        BridgeSettings.of(merged);
      }
      return merged;
    } catch (IllegalArgumentException | ErrorResponseException e) {
      // Without its link key or filter the network would be open.
      return useNone(String.valueOf(e.getMessage()));
    }
  }

  /** Makes the gateway run without a radio because the stored radios cannot be opened. */
  void refuseRadios(String why) {
    inForce = useNone(why);
  }

  private BorderProperties useNone(String why) {
    problem = why;
    log.error(
        "cannot use the stored settings of the radio network; the gateway runs without a radio:"
            + " {}; change them at /api/network/settings and restart the gateway",
        why);
    return with(List.of(), file.filter(), file.linkSecurity());
  }

  private BorderProperties merged(NetworkSettingsRecord settings) {
    return with(
        file.radios().isEmpty()
            ? Objects.requireNonNullElse(settings.radios(), List.of())
            : file.radios(),
        file.filter().isEmpty() ? rules(settings.filter()) : file.filter(),
        file.linkSecurity().secured() ? file.linkSecurity() : opened(settings.linkSecurity()));
  }

  private static List<PacketFilter.Rule> rules(@Nullable List<String> lines) {
    return lines == null ? List.of() : lines.stream().map(PacketFilter.Rule::of).toList();
  }

  private LinkSecurityProperties opened(@Nullable LinkSecurityRecord security) {
    if (security == null) {
      return file.linkSecurity();
    }
    byte[] key = sealer.open(Base64.getUrlDecoder().decode(security.sealedKey()), CONTEXT);
    return new LinkSecurityProperties(
        HexFormat.of().formatHex(key),
        security.level(),
        security.keyIndex(),
        file.linkSecurity().neverUsed());
  }

  private BorderProperties with(
      List<RadioProperties> radios,
      List<PacketFilter.Rule> filter,
      LinkSecurityProperties linkSecurity) {
    return new BorderProperties(
        radios,
        file.panId(),
        file.channel(),
        file.prefix(),
        file.dioIntervalMin(),
        file.compressedIpsec(),
        file.eui64(),
        file.capture(),
        linkSecurity,
        file.tun(),
        radios.isEmpty() ? "" : file.ipsec(),
        radios.isEmpty() ? BorderProperties.Unlisted.BYPASS : file.ipsecUnlisted(),
        file.ipsecNew(),
        filter);
  }

  /** The settings with which the gateway started. */
  public BorderProperties inForce() {
    return inForce;
  }

  /** The settings that the file names, in the form of stored settings. */
  public List<String> fileMembers() {
    List<String> members = new ArrayList<>();
    if (!file.radios().isEmpty()) {
      members.add("radios");
    }
    if (!file.filter().isEmpty()) {
      members.add("filter");
    }
    if (file.linkSecurity().secured()) {
      members.add("linkSecurity");
    }
    return members;
  }

  boolean areRadiosStored() {
    return file.radios().isEmpty() && !inForce.radios().isEmpty();
  }

  /** Whether a setting in force was stored, by its name in the settings file. */
  public boolean isStored(String name) {
    return areRadiosStored() && name.startsWith("border.radios")
        || file.filter().isEmpty()
            && !inForce.filter().isEmpty()
            && name.startsWith("border.filter")
        || !file.linkSecurity().secured()
            && inForce.linkSecurity().secured()
            && name.startsWith("border.link-security");
  }

  public Optional<Versioned<NetworkSettingsRecord>> stored() {
    return stored.get(id);
  }

  public long version() {
    return stored().map(Versioned::version).orElse(0L);
  }

  /** Whether the stored settings take effect only at the next start. */
  public boolean isRestartNeeded() {
    return version() != versionAtStart;
  }

  /** The reason why the stored settings with which the gateway started are not used, else null. */
  public @Nullable String problem() {
    return problem;
  }

  /**
   * @param key 16 octets
   */
  public String seal(byte[] key) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sealer.seal(key, CONTEXT));
  }

  /**
   * Checks settings as the next start will.
   *
   * @throws IllegalArgumentException with one sentence
   * @throws ErrorResponseException when the link key was sealed by another identity key
   */
  public void require(NetworkSettingsRecord settings) {
    BorderProperties merged = merged(settings);
    if (!merged.radios().isEmpty()) {
      BridgeSettings.of(merged);
    }
  }

  public CompletableFuture<Outcome> put(
      NetworkSettingsRecord settings, OptionalLong version, String by) {
    String what = "stored settings of the radio network, which the next start uses";
    return stored.put(id, settings, version, new Audit(by, what, ""));
  }

  public CompletableFuture<Outcome> remove(OptionalLong version, String by) {
    String what = "removed the stored settings of the radio network";
    return stored.remove(id, version, new Audit(by, what, ""));
  }
}
