package dev.vigil.gateway.dashboards;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Access.Allowed;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.mirror.MirrorQueries;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Decides who may see and change dashboards. Readers of its domain see a dashboard, or readers of
 * any domain if it has none; operators change it. A tile shows only what its viewer may read.
 */
@Component
public final class DashboardRights {
  private final Dashboards dashboards;
  private final Access access;
  private final MirrorQueries mirror;

  DashboardRights(Dashboards dashboards, Access access, MirrorQueries mirror) {
    this.dashboards = dashboards;
    this.access = access;
    this.mirror = mirror;
  }

  /** The dashboards that a caller sees, by id. */
  List<Versioned<Dashboard>> visible(Caller caller) {
    if (caller.identity() instanceof Caller.Link link) {
      return List.of(view(caller, link.object()).dashboard());
    }
    VisibleDomains domains = VisibleDomains.of(access, caller, mirror.domains().keySet(), null);
    return dashboards.all().stream().filter(one -> includes(domains, one.value())).toList();
  }

  private static boolean includes(VisibleDomains domains, Dashboard dashboard) {
    String d = dashboard.d();
    return d == null || domains.test(d);
  }

  /**
   * A dashboard that a caller sees. Whoever has a link sees what its maker may see now.
   *
   * @throws dev.vigil.coap.exchange.ErrorResponseException 4.01, 4.03; 4.04 for an unknown or
   *     invisible one
   */
  public View view(Caller caller, String id) {
    Caller viewer = viewer(caller, id);
    VisibleDomains domains = VisibleDomains.of(access, viewer, mirror.domains().keySet(), null);
    return dashboards
        .get(id)
        .filter(one -> includes(domains, one.value()))
        .map(one -> new View(one, viewer))
        .orElseThrow(DashboardRights::unknown);
  }

  private static Caller viewer(Caller caller, String id) {
    if (!(caller.identity() instanceof Caller.Link(String object, var _, Caller.Account maker))) {
      return caller;
    }
    if (!object.equals(id)) {
      throw new ProblemException(ProblemType.FORBIDDEN, "the link shows another dashboard");
    }
    return caller.withIdentity(maker);
  }

  static ProblemException unknown() {
    return new ProblemException(ProblemType.NOT_FOUND, "no dashboard has this id");
  }

  /**
   * Requires that a caller may look up endpoints of some domain; a link does not suffice.
   *
   * @throws dev.vigil.coap.exchange.ErrorResponseException 4.01, 4.03
   */
  void requireReader(Caller caller) {
    VisibleDomains.of(access, caller, mirror.domains().keySet(), null);
  }

  /**
   * A dashboard that a caller may change.
   *
   * @throws dev.vigil.coap.exchange.ErrorResponseException 4.01, 4.03, 4.04
   */
  public Versioned<Dashboard> operated(Caller caller, String id) {
    requireReader(caller);
    Versioned<Dashboard> dashboard = dashboards.get(id).orElseThrow(DashboardRights::unknown);
    requireOperator(caller, dashboard.value());
    return dashboard;
  }

  /**
   * Requires an operator of a dashboard's domain, or of all domains if it has none.
   *
   * @throws dev.vigil.coap.exchange.ErrorResponseException 4.01, 4.03
   */
  void requireOperator(Caller caller, Dashboard dashboard) {
    String d = dashboard.d();
    access.require(caller, Action.OPERATE, d == null ? Access.EVERY_DOMAIN : d);
  }

  /** A dashboard as one viewer sees it. Rights are decided again in each call. */
  public final class View {
    private final Versioned<Dashboard> dashboard;
    private final Caller viewer;

    private View(Versioned<Dashboard> dashboard, Caller viewer) {
      this.dashboard = dashboard;
      this.viewer = viewer;
    }

    public Versioned<Dashboard> dashboard() {
      return dashboard;
    }

    /** Whether the dashboard may show its viewer things of a domain. */
    public boolean shows(String domain) {
      return dashboard.value().covers(domain)
          && access.decide(viewer, Action.READ, domain) instanceof Allowed;
    }
  }
}
