package dev.vigil.gateway.endpoints;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Access.Action;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.exchange.Site;
import dev.vigil.gateway.config.VigilProperties;
import dev.vigil.gateway.http.Answers;
import dev.vigil.gateway.http.Bodies;
import dev.vigil.gateway.http.HttpCallers;
import dev.vigil.mirror.EndpointView;
import dev.vigil.mirror.Mark;
import dev.vigil.mirror.MirrorProxy;
import dev.vigil.mirror.ResourceView;
import dev.vigil.mirror.TrustState;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.wire.Rejection;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * One resource of an endpoint: its value, its past, the commands that wait for it. The mappings
 * with one segment are those that are described; {@link #deeper} serves paths of more.
 */
@RestController
class ResourcesController {
  private static final String BASE = "/api/endpoints/{id}/resources/";
  private static final String COMMAND = "vigil-cmd";
  private static final String HISTORY = "/history";
  private static final String COMMANDS = "/commands";

  private final MirrorProxy mirror;
  private final Access access;
  private final Site site;
  private final int maxBody;
  private final Histories histories;

  ResourcesController(MirrorProxy mirror, Access access, Site site, VigilProperties properties) {
    this.mirror = mirror;
    this.access = access;
    this.site = site;
    this.maxBody = properties.http().maxBody();
    this.histories = new Histories(mirror);
  }

  /**
   * @param last the highest number ever taken for the endpoint; a new command's is above it
   */
  record CommandsJson(List<CommandJson> commands, long last) {}

  @Operation(summary = "A resource and its last value")
  @GetMapping(BASE + "{path}")
  EndpointJson.ResourceJson resource(
      HttpServletRequest request, @PathVariable String id, @PathVariable String path) {
    EndpointView endpoint = readable(request, id);
    return EndpointJson.of(id, view(endpoint, path));
  }

  @Operation(
      summary = "What was measured: value by value, or mean, least and greatest of each bucket",
      description =
          "from and to are about the time of the measurement. next, where it is, goes into after"
              + " to go on. The signed originals are at /ms/{id}/{path}?after=&limit=.")
  @GetMapping(BASE + "{path}" + HISTORY)
  HistoryJson history(
      HttpServletRequest request,
      @PathVariable String id,
      @PathVariable String path,
      @ParameterObject HistoryQuery query) {
    EndpointView endpoint = readable(request, id);
    ResourceView resource = view(endpoint, path);
    if (endpoint.state() == TrustState.REVOKED || resource.marks().contains(Mark.REVOKED)) {
      throw new ExchangeException(Code.FORBIDDEN, "the key that signed it is revoked");
    }
    return histories.read(endpoint.id(), resource.path(), query);
  }

  @Operation(summary = "Commands for a resource that wait, and the last that ended; oldest first")
  @GetMapping(BASE + "{path}" + COMMANDS)
  CommandsJson commands(
      HttpServletRequest request, @PathVariable String id, @PathVariable String path) {
    EndpointView endpoint = readable(request, id);
    String encoded = MirrorProxy.path(path);
    List<CommandJson> all = EndpointJson.commands(mirror, endpoint.id());
    return new CommandsJson(
        all.stream().filter(command -> command.path().equals(encoded)).toList(),
        mirror.lastCommand(endpoint.id()));
  }

  @Operation(
      summary = "Queues a command, which a commander of the domain has signed",
      description =
          "A JWS of typ vigil-cmd, as PUT to /ms/{id}/{path} takes it; the same again changes"
              + " nothing. The endpoint is handed it when it wakes.",
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
    byte[] body = Bodies.read(request, maxBody);
    long seq = number(body);
    List<String> whole = new ArrayList<>(List.of("ms", id));
    whole.addAll(List.of(path.split("/", -1)));
    Request put =
        new Request(
            Method.PUT,
            whole,
            Query.EMPTY,
            ContentFormat.JOSE,
            body,
            List.of(),
            true,
            HttpCallers.of(request));
    Response answer = Answers.of(site.answer(put));
    if (!answer.code().isSuccess()) {
      throw new ExchangeException(
          answer.code(), new String(answer.payload(), StandardCharsets.UTF_8), answer.maxAge());
    }
    return EndpointJson.commands(mirror, id).stream()
        .filter(command -> command.seq() == seq)
        .findAny()
        .orElseThrow(() -> new ExchangeException(Code.CONFLICT, "the command has ended already"));
  }

  /** What is put is judged by its typ: without this, an update would pass for a command. */
  private static long number(byte[] body) {
    try {
      Jws jws = Jws.parse(body);
      if (COMMAND.equals(jws.header().typ())) {
        return jws.header().seq();
      }
    } catch (Rejection e) {
      throw e.toExchange();
    }
    throw new ExchangeException(Code.BAD_REQUEST, "a command is a JWS with typ " + COMMAND);
  }

  @Operation(
      summary = "Cancels a command that waits",
      description = "The endpoint may have fetched it and act on it all the same.")
  @DeleteMapping(BASE + "{path}" + COMMANDS + "/{seq}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void cancel(
      HttpServletRequest request,
      @PathVariable String id,
      @PathVariable String path,
      @PathVariable long seq) {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.ADMINISTER, "");
    EndpointView endpoint = readable(request, id);
    access.require(caller, Action.ADMINISTER, endpoint.d());
    boolean here =
        mirror.commands(endpoint.id()).stream()
            .anyMatch(c -> c.seq() == seq && c.path().equals(MirrorProxy.path(path)));
    if (!here) {
      throw new ExchangeException(Code.NOT_FOUND, "no such command waits");
    }
    Answers.done(mirror.cancel(endpoint.id(), seq, caller.label()));
  }

  /** The same for resources whose paths have more than one segment. */
  @Hidden
  @GetMapping(BASE + "{*rest}")
  Object deeper(
      HttpServletRequest request,
      @PathVariable String id,
      @PathVariable String rest,
      HistoryQuery query) {
    String path = rest.substring(1);
    if (path.endsWith(HISTORY)) {
      return history(request, id, without(path, HISTORY), query);
    }
    return path.endsWith(COMMANDS)
        ? commands(request, id, without(path, COMMANDS))
        : resource(request, id, path);
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
      throw new ExchangeException(Code.METHOD_NOT_ALLOWED, "commands go to .../commands");
    }
    return queue(request, id, without(rest.substring(1), COMMANDS));
  }

  @Hidden
  @DeleteMapping(BASE + "{*rest}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void cancelDeeper(
      HttpServletRequest request, @PathVariable String id, @PathVariable String rest) {
    int number = rest.lastIndexOf('/');
    String path = rest.substring(0, number);
    String seq = rest.substring(number + 1);
    if (!path.endsWith(COMMANDS) || !seq.matches("[0-9]{1,16}")) {
      throw new ExchangeException(Code.METHOD_NOT_ALLOWED, "only .../commands/{seq} is deleted");
    }
    cancel(request, id, without(path.substring(1), COMMANDS), Long.parseLong(seq));
  }

  private static String without(String path, String suffix) {
    return path.substring(0, path.length() - suffix.length());
  }

  private EndpointView readable(HttpServletRequest request, String id) {
    Caller caller = HttpCallers.of(request);
    EndpointView endpoint = mirror.endpoint(id).orElse(null);
    access.require(caller, Action.READ, endpoint == null ? "" : endpoint.d());
    if (endpoint == null) {
      throw new ExchangeException(Code.NOT_FOUND, "no endpoint has this id");
    }
    return endpoint;
  }

  private static ResourceView view(EndpointView endpoint, String path) {
    String encoded = MirrorProxy.path(path);
    return endpoint.resources().stream()
        .filter(resource -> resource.path().equals(encoded))
        .findAny()
        .orElseThrow(
            () -> new ExchangeException(Code.NOT_FOUND, "the endpoint has no such resource"));
  }
}
