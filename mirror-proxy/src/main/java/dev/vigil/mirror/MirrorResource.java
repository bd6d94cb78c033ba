package dev.vigil.mirror;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Resource;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.coap.link.OwnAuthorities;
import dev.vigil.mirror.command.CommandService;
import dev.vigil.mirror.model.CommandQueue;
import dev.vigil.mirror.model.EndpointLinks;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.ResourcePaths;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.ValueReader;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RefusalMapper;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.mirror.state.ProvenTarget;
import dev.vigil.mirror.state.RequestTarget;
import dev.vigil.mirror.state.RequestTargets;
import dev.vigil.mirror.state.UnprovenTarget;
import dev.vigil.mirror.update.UpdateService;
import dev.vigil.signed.jose.Jws;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@code /ms/{id}} and the paths below it. */
final class MirrorResource implements Resource {
  private static final int ID_SEGMENTS = 2;

  private final RequestTargets targets;
  private final CommandAccess access;
  private final UpdateService updates;
  private final CommandService commands;
  private final ValueReader values;
  private final RefusalMapper refusalMapper;
  private final OwnAuthorities own;

  MirrorResource(
      RequestTargets targets,
      CommandAccess access,
      UpdateService updates,
      CommandService commands,
      ValueReader values,
      RefusalMapper refusalMapper,
      OwnAuthorities own) {
    this.own = own;
    this.targets = targets;
    this.access = access;
    this.updates = updates;
    this.commands = commands;
    this.values = values;
    this.refusalMapper = refusalMapper;
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    RequestTarget target = targets.find(request.path().get(1));
    // Unproven registrations are not counted separately: anyone may make any number of them.
    String id = target instanceof ProvenTarget ? target.id() : "";
    return refusalMapper.answer(id, () -> answer(request, target));
  }

  private CompletableFuture<Response> answer(Request request, @Nullable RequestTarget target) {
    if (target == null) {
      throw new RequestRefused(Reason.NO_ENTRY, "no such endpoint, or its registration expired");
    }
    List<String> segments = request.path().subList(ID_SEGMENTS, request.path().size());
    return switch (request.method()) {
      case GET ->
          CompletableFuture.completedFuture(
              segments.isEmpty() ? getEndpoint(request, target) : get(request, target, segments));
      case PUT -> put(request, target, segments);
      case POST, DELETE ->
          throw new RequestRefused(Reason.NOT_ALLOWED, "only GET and PUT are supported");
    };
  }

  private CompletableFuture<Response> put(
      Request request, RequestTarget target, List<String> segments) {
    if (segments.isEmpty()) {
      throw new RequestRefused(
          Reason.NOT_ALLOWED, "PUT needs the path of a resource of the endpoint");
    }
    String path = ResourcePaths.canonical(segments);
    if (request.payload().length > target.domain().limits().payload()) {
      throw new RequestRefused(
          Reason.TOO_LARGE, "at most " + target.domain().limits().payload() + " octets");
    }
    Jws jws =
        request.format() == ContentFormat.JOSE && !Jws.looksEncrypted(request.payload())
            ? Jws.parse(request.payload())
            : null;
    // The typ distinguishes commands from updates; the key alone never does (docs/protocol.md
    // section 8).
    if (jws == null || !CommandService.TYPE.equals(jws.header().typ())) {
      return updates.update(request, jws, target, path);
    }
    access.require(request.caller(), Access.Action.COMMAND, target.domain());
    return commands.queue(request.caller(), jws, target, path);
  }

  private Response get(Request request, RequestTarget target, List<String> segments) {
    String path = ResourcePaths.canonical(segments);
    String command =
        request.query().parameters().isEmpty() ? "" : request.query().single("command").orElse("");
    if (!command.isEmpty()) {
      return getCommand(request, target, path, command);
    }
    access.require(request.caller(), Access.Action.READ, target.domain());
    return values.read(request, target, path);
  }

  /** A command as its commander signed it. */
  private Response getCommand(Request request, RequestTarget target, String path, String number) {
    access.requireEndpoint(request, target);
    boolean decimal = number.length() < 18 && number.chars().allMatch(c -> c >= '0' && c <= '9');
    MirroredEndpoint endpoint = provenEndpoint(target);
    CommandQueue.Command command =
        endpoint == null || !decimal ? null : commands.find(endpoint, path, Long.parseLong(number));
    if (endpoint == null || command == null) {
      throw new RequestRefused(Reason.NO_ENTRY, "no such command is pending");
    }
    if (access.marksFetched(request, target)) {
      commands.markFetched(request.caller(), endpoint, command);
    }
    return Response.content(ContentFormat.JOSE, command.jws()).withMaxAge(0);
  }

  private static @Nullable MirroredEndpoint provenEndpoint(RequestTarget target) {
    return switch (target) {
      case ProvenTarget proven -> proven.endpoint();
      case UnprovenTarget unproven -> null;
    };
  }

  private Response getEndpoint(Request request, RequestTarget target) {
    CommandQueue queue = CommandQueue.of(provenEndpoint(target));
    if (request.query().has("pending")) {
      access.requireEndpoint(request, target);
      return pendingCommands(target, queue);
    }
    if (request.query().has("commands")) {
      return commandStates(request, target, queue);
    }
    access.require(request.caller(), Access.Action.LOOK_UP, target.domain());
    if (target.keys().state() != TrustState.TRUSTED) {
      throw new RequestRefused(Reason.NO_ENTRY, "the endpoint is not trusted yet");
    }
    List<Link> links =
        EndpointLinks.published(
            target.id(),
            target.lease().links(),
            target.keys().jkt(),
            own.seenAs(request.base())::contains);
    return Response.content(ContentFormat.LINK_FORMAT, LinkFormat.write(links))
        .observable(MirrorState.topic(target.id()));
  }

  /** Text contains only the last number; JSON contains the state of each command. */
  private Response commandStates(Request request, RequestTarget target, CommandQueue queue) {
    access.requireReaderOrCommander(request.caller(), target.domain());
    ContentFormat format = request.choose(List.of(ContentFormat.TEXT, ContentFormat.JSON));
    if (format == ContentFormat.TEXT) {
      return Response.content(format, Long.toString(queue.last())).withMaxAge(0);
    }
    return Response.content(format, commands.json(queue))
        .withMaxAge(0)
        .observable(MirrorState.topic(target.id()));
  }

  /** Links to the pending commands, oldest first. */
  private Response pendingCommands(RequestTarget target, CommandQueue queue) {
    String base = "/ms/" + target.id() + "/";
    List<Link> links =
        commands.pending(queue).stream()
            .map(
                command ->
                    Link.to(base + command.path() + "?command=" + command.seq())
                        .with("ct", Integer.toString(ContentFormat.JOSE.number())))
            .toList();
    return Response.content(ContentFormat.LINK_FORMAT, LinkFormat.write(links))
        .withMaxAge(0)
        .observableBySource(MirrorState.topic(target.id()));
  }
}
