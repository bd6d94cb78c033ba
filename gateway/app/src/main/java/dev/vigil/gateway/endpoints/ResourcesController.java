package dev.vigil.gateway.endpoints;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.RequestBodies;
import dev.vigil.gateway.api.UnknownIds;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.store.AggregatedNumbers;
import dev.vigil.gateway.tls.HttpProperties;
import dev.vigil.mirror.MirrorOperations;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.ResourceView;
import dev.vigil.mirror.read.history.ValueMark;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jws;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * One resource of an endpoint: its value, its history, its commands. The API description shows the
 * mappings with one path segment; the hidden mappings serve paths of several segments.
 */
@RestController
class ResourcesController {
  private static final String BASE = "/api/endpoints/{id}/resources/";
  private static final String COMMAND = "vigil-cmd";
  private static final String HISTORY = "/history";
  private static final String COMMANDS = "/commands";

  private final MirrorQueries mirror;
  private final MirrorOperations operations;
  private final Access access;
  private final RequestDispatcher dispatcher;
  private final int maxBody;
  private final HistoryReader histories;

  ResourcesController(
      MirrorQueries mirror,
      MirrorOperations operations,
      Access access,
      RequestDispatcher dispatcher,
      HttpProperties http,
      AggregatedNumbers aggregates,
      ArchiveReadLimiter limiter) {
    this.mirror = mirror;
    this.operations = operations;
    this.access = access;
    this.dispatcher = dispatcher;
    this.maxBody = http.maxBody();
    this.histories = new HistoryReader(mirror, aggregates, limiter);
  }

  /**
   * @param last highest command number of the endpoint; a new command needs a higher one
   */
  record CommandsJson(List<CommandJson> commands, long last) {}

  @Operation(operationId = "getResource", summary = "A resource and its last value")
  @GetMapping(BASE + "{path}")
  EndpointJson.ResourceJson resource(
      HttpServletRequest request, @PathVariable String id, @PathVariable String path) {
    EndpointView endpoint = readable(request, id);
    return EndpointJson.of(id, view(endpoint, path));
  }

  @Operation(
      operationId = "getResourceHistory",
      summary = "The history: single values, or mean, minimum and maximum of each bucket",
      description =
          "from and to select by the time of the measurement. If the answer has next, give it as"
              + " after to continue. Buckets of whole minutes are computed from the gateway's"
              + " aggregates where these reach further back than the values; resolution says so, and"
              + " a minute, hour or day that from or to divides then counts as a whole. The signed originals are at /ms/{id}/{path}?after=&limit=.")
  @GetMapping(BASE + "{path}" + HISTORY)
  HistoryJson history(
      HttpServletRequest request,
      @PathVariable String id,
      @PathVariable String path,
      HistoryQuery query) {
    EndpointView endpoint = readable(request, id);
    ResourceView resource = view(endpoint, path);
    if (endpoint.state() == TrustState.REVOKED || resource.marks().contains(ValueMark.REVOKED)) {
      throw new ProblemException(ProblemType.NOT_TRUSTED, "the key that signed it is revoked");
    }
    return histories.read(HttpCallers.of(request), endpoint, resource.path(), query);
  }

  @Operation(
      operationId = "listCommands",
      summary = "The pending and the last ended commands of a resource, oldest first")
  @GetMapping(BASE + "{path}" + COMMANDS)
  CommandsJson commands(
      HttpServletRequest request, @PathVariable String id, @PathVariable String path) {
    EndpointView endpoint = readable(request, id);
    String encoded = MirrorQueries.canonicalPath(path);
    List<CommandJson> all = EndpointJson.commands(mirror, endpoint.id());
    return new CommandsJson(
        all.stream().filter(command -> command.path().equals(encoded)).toList(),
        mirror.lastCommand(endpoint.id()));
  }

  @Operation(
      operationId = "queueCommand",
      summary = "Queues a command that a commander of the domain has signed",
      description =
          "A JWS of typ vigil-cmd, as for PUT /ms/{id}/{path}; sending it again changes nothing."
              + " The endpoint fetches it when it wakes.",
      requestBody =
          @RequestBody(
              required = true,
              content =
                  @Content(mediaType = "application/jose", schema = @Schema(type = "string"))))
  @RequestMapping(
      path = BASE + "{path}" + COMMANDS,
      method = {RequestMethod.POST, RequestMethod.PUT},
      consumes = "application/jose")
  @ResponseStatus(HttpStatus.CREATED)
  CommandJson queue(HttpServletRequest request, @PathVariable String id, @PathVariable String path)
      throws IOException {
    byte[] body = RequestBodies.read(request, maxBody);
    long seq = number(body);
    List<String> segments = new ArrayList<>(List.of("ms", id));
    segments.addAll(List.of(path.split("/", -1)));
    Request put =
        new Request(
            Method.PUT,
            segments,
            Query.EMPTY,
            ContentFormat.JOSE,
            body,
            List.of(),
            true,
            HttpCallers.of(request));
    Response answer = FutureResults.of(dispatcher.answer(put));
    if (!answer.code().isSuccess()) {
      throw ProblemException.of(answer);
    }
    return EndpointJson.commands(mirror, id).stream()
        .filter(command -> command.seq() == seq)
        .findAny()
        .orElseThrow(
            () -> new ProblemException(ProblemType.CONFLICT, "the command is no longer pending"));
  }

  /**
   * The number of a command. Refuses other objects: a PUT to the mirror also accepts updates
   * (docs/protocol.md section 8).
   */
  private static long number(byte[] body) {
    try {
      Jws jws = Jws.parse(body);
      if (COMMAND.equals(jws.header().typ())) {
        return jws.header().seq();
      }
    } catch (SignedObjectException e) {
      throw RequestRefused.of(e);
    }
    throw new ProblemException(
        ProblemType.INVALID_BODY, "a command must be a JWS with typ " + COMMAND);
  }

  @Operation(
      operationId = "cancelCommand",
      summary = "Cancels a pending command",
      description = "An endpoint that has fetched the command already may still carry it out.")
  @DeleteMapping(BASE + "{path}" + COMMANDS + "/{seq}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void cancel(
      HttpServletRequest request,
      @PathVariable String id,
      @PathVariable String path,
      @PathVariable long seq) {
    Caller caller = HttpCallers.of(request);
    VisibleDomains.of(access, caller, Action.OPERATE, mirror.domains().keySet(), null);
    EndpointView endpoint = readable(request, id);
    access.require(caller, Action.OPERATE, endpoint.d());
    boolean pending =
        mirror.commands(endpoint.id()).stream()
            .anyMatch(c -> c.seq() == seq && c.path().equals(MirrorQueries.canonicalPath(path)));
    if (!pending) {
      throw new ProblemException(ProblemType.NOT_FOUND, "the resource has no such command");
    }
    FutureResults.done(operations.cancelCommand(endpoint.id(), seq, caller.label()));
  }

  /** The GET mappings for paths of several segments. */
  @Hidden
  @GetMapping(BASE + "{*rest}")
  Object deeper(
      HttpServletRequest request,
      @PathVariable String id,
      @PathVariable String rest,
      HistoryQuery query) {
    if (rest.endsWith(HISTORY)) {
      return history(request, id, without(rest, HISTORY), query);
    }
    return rest.endsWith(COMMANDS)
        ? commands(request, id, without(rest, COMMANDS))
        : resource(request, id, without(rest, ""));
  }

  @Hidden
  @RequestMapping(
      path = BASE + "{*rest}",
      method = {RequestMethod.POST, RequestMethod.PUT},
      consumes = "application/jose")
  @ResponseStatus(HttpStatus.CREATED)
  CommandJson queueDeeper(
      HttpServletRequest request, @PathVariable String id, @PathVariable String rest)
      throws IOException {
    if (!rest.endsWith(COMMANDS)) {
      throw new ProblemException(
          ProblemType.METHOD_NOT_ALLOWED,
          "send commands to the resource's path followed by /commands");
    }
    return queue(request, id, without(rest, COMMANDS));
  }

  @Hidden
  @DeleteMapping(BASE + "{*rest}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void cancelDeeper(
      HttpServletRequest request, @PathVariable String id, @PathVariable String rest) {
    int number = Math.max(0, rest.lastIndexOf('/'));
    String path = rest.substring(0, number);
    String seq = rest.substring(Math.min(rest.length(), number + 1));
    if (!path.endsWith(COMMANDS) || !seq.matches("[0-9]{1,16}")) {
      throw new ProblemException(
          ProblemType.METHOD_NOT_ALLOWED, "only commands can be deleted: .../commands/{seq}");
    }
    cancel(request, id, without(path, COMMANDS), Long.parseLong(seq));
  }

  /** The path of the resource; empty when there is none, because no resource has an empty path. */
  private static String without(String rest, String suffix) {
    String path = rest.substring(0, rest.length() - suffix.length());
    return path.startsWith("/") ? path.substring(1) : path;
  }

  private EndpointView readable(HttpServletRequest request, String id) {
    Caller caller = HttpCallers.of(request);
    EndpointView endpoint = mirror.endpoint(id).orElse(null);
    if (endpoint == null) {
      throw UnknownIds.answer(
          access, caller, Action.READ, mirror.domains().keySet(), "no endpoint has this id");
    }
    access.require(caller, Action.READ, endpoint.d());
    return endpoint;
  }

  private static ResourceView view(EndpointView endpoint, String path) {
    String encoded = MirrorQueries.canonicalPath(path);
    return endpoint.resources().stream()
        .filter(resource -> resource.path().equals(encoded))
        .findAny()
        .orElseThrow(
            () -> new ProblemException(ProblemType.NOT_FOUND, "the endpoint has no such resource"));
  }
}
