package dev.vigil.mirror;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Request;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.state.EndpointSources;
import dev.vigil.mirror.state.ProvenTarget;
import dev.vigil.mirror.state.RequestTarget;
import dev.vigil.mirror.state.UnprovenTarget;

/** Rights to the commands of an endpoint, in addition to the decisions of {@link Access}. */
final class CommandAccess {
  private final Access access;
  private final EndpointSources sources;

  CommandAccess(Access access, EndpointSources sources) {
    this.access = access;
    this.sources = sources;
  }

  void require(Caller caller, Action action, Domain domain) {
    access.require(caller, action, domain.name());
  }

  /**
   * Requires the endpoint itself in domains where reading needs a right. A right to read is not
   * enough, because commands are for the endpoint and only their states are for readers.
   *
   * @throws RequestRefused 4.03
   */
  void requireEndpoint(Request request, RequestTarget target) {
    Caller anybody = Caller.anonymous(request.caller().source(), request.caller().verified());
    boolean closed =
        access.decide(anybody, Action.READ, target.domain().name()) instanceof Access.Refused;
    if (closed && !isEndpoint(request, target)) {
      throw new RequestRefused(
          Reason.POLICY,
          "only the endpoint may ask, soon after its last new message and from the same address");
    }
  }

  /**
   * Whether a request may mark a command as fetched. Only the endpoint's own request may, and no
   * request over HTTP, because a page of another site can send one from the endpoint's address.
   */
  boolean marksFetched(Request request, RequestTarget target) {
    return isEndpoint(request, target) && !EndpointSources.isFromWeb(request);
  }

  private boolean isEndpoint(Request request, RequestTarget target) {
    return switch (target) {
      case ProvenTarget proven -> sources.isEndpoint(request, proven);
      case UnprovenTarget unproven -> false;
    };
  }

  /**
   * Requires the right to command or to read, because commanders need the last number and readers
   * the states.
   *
   * @throws dev.vigil.coap.exchange.ErrorResponseException 4.01, 4.03
   */
  void requireReaderOrCommander(Caller caller, Domain domain) {
    if (access.decide(caller, Action.COMMAND, domain.name()) instanceof Access.Refused) {
      access.require(caller, Action.READ, domain.name());
    }
  }
}
