package dev.vigil.gateway.keys;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.MirrorOperations;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.KeyView;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Decisions of operators about single keys. */
@Component
class KeyDecisions {
  private final MirrorQueries mirror;
  private final MirrorOperations operations;
  private final Access access;

  KeyDecisions(MirrorQueries mirror, MirrorOperations operations, Access access) {
    this.mirror = mirror;
    this.operations = operations;
    this.access = access;
  }

  /**
   * @return the domains that the caller operates
   * @throws ErrorResponseException when there are none
   */
  VisibleDomains requireOperator(Caller caller) {
    return VisibleDomains.of(access, caller, Action.OPERATE, mirror.domains().keySet(), null);
  }

  /** A key under each of its names. */
  List<KeyView> find(String thumbprint, Predicate<KeyView> wanted) {
    return mirror.keys(thumbprint).stream().filter(wanted).toList();
  }

  /**
   * Trusts a key that waits for a name, or that will register later.
   *
   * @param endpoint id of the endpoint whose name the key waits for; null: the only such endpoint
   * @param d the domain in which a key that does not wait is trusted, named as in parameters; null:
   *     all domains
   */
  void approve(Caller caller, String thumbprint, @Nullable String endpoint, @Nullable String d) {
    List<KeyView> names = mirror.keys(thumbprint);
    String id = endpoint == null ? waitingId(caller, names) : endpoint;
    if (id != null || names.stream().noneMatch(key -> key.state() == TrustState.TRUSTED)) {
      List<String> domains = domains(caller, id, d);
      FutureResults.done(operations.approve(thumbprint, id, domains, caller.label()));
    }
  }

  /** The id of the endpoint whose name a key waits for; null when it waits for none. */
  private @Nullable String waitingId(Caller caller, List<KeyView> names) {
    List<KeyView> waiting = waiting(caller, names);
    requireOne(waiting);
    return waiting.isEmpty() ? null : waiting.getFirst().id();
  }

  /** The domains in which an approval takes effect, all of which the caller operates. */
  private List<String> domains(Caller caller, @Nullable String id, @Nullable String d) {
    String named = d == null ? null : DomainNames.named(d);
    Optional<EndpointView> endpoint = id == null ? Optional.empty() : mirror.endpoint(id);
    List<String> domains =
        endpoint.isPresent()
            ? List.of(endpoint.get().d())
            : named != null ? List.of(named) : List.copyOf(mirror.domains().keySet());
    domains.forEach(domain -> access.require(caller, Action.OPERATE, domain));
    return domains;
  }

  /**
   * Ends the wait of a key.
   *
   * @param endpoint as for {@link #approve}
   */
  void refuse(Caller caller, String thumbprint, @Nullable String endpoint) {
    List<KeyView> waiting =
        waiting(caller, find(thumbprint, key -> endpoint == null || endpoint.equals(key.id())));
    if (waiting.isEmpty()) {
      throw new ProblemException(ProblemType.NOT_WAITING, "the key does not wait for a decision");
    }
    requireOne(waiting);
    KeyView one = waiting.getFirst();
    access.require(caller, Action.OPERATE, one.d());
    FutureResults.done(operations.refuse(id(one), thumbprint, caller.label()));
  }

  /** The names, in the caller's domains, for which a key waits or was approved in advance. */
  private List<KeyView> waiting(Caller caller, List<KeyView> names) {
    VisibleDomains operated = requireOperator(caller);
    return names.stream()
        .filter(key -> operated.test(key.d()))
        .filter(key -> key.state() == TrustState.PENDING || key.state() == null && key.id() != null)
        .toList();
  }

  private static void requireOne(List<KeyView> waiting) {
    if (waiting.size() > 1) {
      throw new ProblemException(
          ProblemType.SEVERAL_NAMES,
          "the key waits under several names: say which with endpoint="
              + String.join(" or ", waiting.stream().map(KeyDecisions::id).toList()));
    }
  }

  private static String id(KeyView waiting) {
    return Objects.requireNonNullElse(waiting.id(), "");
  }
}
