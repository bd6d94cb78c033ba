package dev.vigil.gateway.domains;

import dev.vigil.gateway.access.AccessSettings;
import dev.vigil.gateway.access.DomainAccess;
import dev.vigil.gateway.records.Records;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.TrustPolicy;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The domains of the simulated month and the rights to them, decided by the gateway's code. */
public final class DomainsOfMonth {
  /** The only principal that may read a closed domain. */
  public static final String OWNER = "owner";

  private static final LimitProperties LIMITS =
      new LimitProperties(null, null, null, null, null, null, null, null, null, null, null);

  private final DomainAccess access;
  private final DomainSettings settings;

  /**
   * @param names of the domains
   * @param commanders keys that may command in each, as JWK texts
   */
  public DomainsOfMonth(Records records, List<String> names, List<String> commanders) {
    DomainProperties file =
        new DomainProperties(
            null,
            null,
            null,
            null,
            List.of(),
            commanders,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            LIMITS);
    this.access = new DomainAccess(new AccessSettings(false, "", true, Map.of()), labels -> null);
    this.settings =
        new DomainSettings(
            records,
            new DomainsFile(
                TrustPolicy.FIRST_USE,
                names.stream().collect(Collectors.toMap(Function.identity(), name -> file))),
            access);
  }

  public DomainAccess access() {
    return access;
  }

  public Map<String, Domain> inForce() {
    return settings.inForce();
  }

  /** Whether anyone may read a domain. */
  public boolean isOpen(String name) {
    return access.policy(name).read().contains("anyone");
  }

  /** Lets anyone read a domain, or its owner alone. */
  public void setOpen(String name, boolean open) {
    List<String> readers = open ? List.of("anyone") : List.of("account:" + OWNER);
    DomainBodyJson none = DomainBodyJson.NONE;
    DomainBodyJson body =
        new DomainBodyJson(
            none.trust(),
            new DomainBodyJson.PolicyBody(null, readers, null),
            none.rotateAtOnce(),
            none.confidential(),
            none.window(),
            none.maxClockSkewSeconds(),
            none.maxDelaySeconds(),
            none.defaultWakeSeconds(),
            none.serveStale(),
            none.history(),
            none.limits());
    settings.put(name, body, OptionalLong.empty(), "account:" + OWNER).join().require("domain");
  }
}
