package dev.vigil.gateway.domains;

import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.access.DomainAccess;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.settings.InvalidSettingException;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.trust.JwkCodec;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The settings of all domains. Settings in the file take precedence over settings that
 * administrators stored; stored settings take precedence over the defaults. The commanders of a
 * domain are the keys in the file together with the keys in the store. Changes take effect at once.
 */
@Component
public class DomainSettings {
  private static final Logger log = LoggerFactory.getLogger(DomainSettings.class);
  private static final int MAX_DOMAINS = 1000;
  private static final int MAX_COMMANDERS = 10_000;

  /** Each update of a mote may be checked against all commanders of its domain. */
  static final int MAX_COMMANDERS_OF_DOMAIN = 100;

  private final TrustPolicy defaultTrust;
  private final DomainAccess access;
  private final Map<String, DomainProperties> file;
  private final RecordSet<DomainBodyJson> stored;
  private final RecordSet<CommanderRecord> commanders;
  private final Map<String, Domain> inForce = new ConcurrentHashMap<>();

  DomainSettings(Records records, DomainsFile settings, DomainAccess access) {
    this.defaultTrust = settings.trust();
    this.access = access;
    this.file = settings.domains();
    this.stored = records.of("domain", DomainBodyJson.class, MAX_DOMAINS);
    this.commanders = records.of("commander-key", CommanderRecord.class, MAX_COMMANDERS);
    // A fault of the file ends the start. Later faults are faults of records; all other settings
    // stay in force.
    file.forEach((d, domain) -> inForce.put(d, domain.domain(d, defaultTrust)));
    stored.onChange(change -> apply(DomainNames.named(change.id())));
    commanders.onChange(change -> apply(DomainNames.named(domainOf(change.id()))));
  }

  /** By name; empty is the name of the unnamed domain. The map changes with the settings. */
  public Map<String, Domain> inForce() {
    return Collections.unmodifiableMap(inForce);
  }

  private void apply(String d) {
    DomainProperties settings = merged(d);
    try {
      if (settings == null) {
        inForce.remove(d);
        access.remove(d);
      } else {
        Domain domain = settings.domain(d, defaultTrust);
        access.replace(d, settings.policy());
        inForce.put(d, domain);
      }
    } catch (InvalidSettingException | ErrorResponseException e) {
      log.error(
          "stored settings of domain {} have no effect: {}", DomainNames.label(d), e.getMessage());
    }
  }

  /** Null: there is no such domain. */
  private @Nullable DomainProperties merged(String d) {
    DomainProperties named = file.get(d);
    Optional<Versioned<DomainBodyJson>> record = stored(d);
    if (named == null && record.isEmpty()) {
      return null;
    }
    DomainBodyJson body = record.map(Versioned::value).orElse(DomainBodyJson.NONE);
    Set<String> known = fileCommanders(d);
    DomainProperties below =
        body.properties(
            commanders(d).stream()
                .map(Versioned::value)
                .filter(commander -> !known.contains(commander.jkt()))
                .map(CommanderRecord::jwk)
                .toList());
    return named == null ? below : named.orElse(below);
  }

  /** The settings of a domain in the file; null when it names none. */
  @Nullable DomainProperties file(String d) {
    return file.get(d);
  }

  /** The settings of a domain that administrators stored. */
  Optional<Versioned<DomainBodyJson>> stored(String d) {
    return stored.get(DomainNames.label(d));
  }

  /** The thumbprints of the file's commanders. */
  Set<String> fileCommanders(String d) {
    DomainProperties named = file.get(d);
    return named == null
        ? Set.of()
        : named.commanders().stream()
            .map(jwk -> JwkCodec.thumbprint(JwkCodec.read(jwk)))
            .collect(Collectors.toSet());
  }

  /** The commanders that administrators stored. */
  List<Versioned<CommanderRecord>> commanders(String d) {
    return commanders.all().stream().filter(one -> one.value().d().equals(d)).toList();
  }

  Optional<Versioned<CommanderRecord>> commander(String d, String jkt) {
    return commanders.get(id(d, jkt));
  }

  /**
   * @throws ErrorResponseException 4.00, names the member that is wrong
   */
  CompletableFuture<Outcome> put(String d, DomainBodyJson body, OptionalLong version, String by) {
    DomainProperties settings = body.properties(List.of());
    try {
      settings.domain(d, defaultTrust);
      access.requireValid(d, settings.policy());
    } catch (InvalidSettingException e) {
      throw new ProblemException(ProblemType.INVALID_BODY, MemberNames.inMessage(d, e));
    }
    String verb = inForce.containsKey(d) ? "changed" : "made";
    return stored.put(
        DomainNames.label(d),
        body,
        version,
        new Audit(by, verb + " domain " + DomainNames.label(d), d));
  }

  CompletableFuture<Outcome> remove(String d, OptionalLong version, String by) {
    String what = file.containsKey(d) ? "removed the stored settings of" : "removed";
    return stored.remove(
        DomainNames.label(d), version, new Audit(by, what + " domain " + DomainNames.label(d), d));
  }

  CompletableFuture<Outcome> putCommander(CommanderRecord key, OptionalLong version) {
    Set<String> keys = new HashSet<>(fileCommanders(key.d()));
    commanders(key.d()).forEach(one -> keys.add(one.value().jkt()));
    if (!keys.contains(key.jkt()) && keys.size() >= MAX_COMMANDERS_OF_DOMAIN) {
      throw new ProblemException(
          ProblemType.LIMIT_REACHED,
          "the domain has " + MAX_COMMANDERS_OF_DOMAIN + " commanders' keys: remove one first");
    }
    String what = "commander's key " + key.jkt() + " of domain " + DomainNames.label(key.d());
    return commanders.put(
        id(key.d(), key.jkt()), key, version, new Audit(key.by(), "enrolled " + what, key.d()));
  }

  CompletableFuture<Outcome> removeCommander(
      String d, String jkt, OptionalLong version, String by) {
    String what = "removed commander's key " + jkt + " of domain " + DomainNames.label(d);
    return commanders.remove(id(d, jkt), version, new Audit(by, what, d));
  }

  private static String id(String d, String jkt) {
    return jkt + "/" + DomainNames.label(d);
  }

  private static String domainOf(String id) {
    return id.substring(id.indexOf('/') + 1);
  }
}
