package dev.vigil.gateway.export;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.UnknownIds;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.export.ArchiveStream.Export;
import dev.vigil.gateway.limits.ArchiveReadLimiter;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.model.keys.TrustState;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.history.ArchivedValue;
import dev.vigil.mirror.read.history.ValueMark;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Streams the stored values of an endpoint, each with the object that the endpoint signed. */
@RestController
class ExportController {
  private final MirrorQueries mirror;
  private final Access access;
  private final ArchiveReadLimiter limiter;
  private final ArchiveStream archive;

  ExportController(MirrorQueries mirror, Access access, ArchiveReadLimiter limiter) {
    this.mirror = mirror;
    this.access = access;
    this.limiter = limiter;
    this.archive = new ArchiveStream(mirror, access, limiter);
  }

  @Operation(
      operationId = "exportEndpoint",
      summary = "The stored values of all resources of an endpoint, as CSV or JSON lines",
      description =
          "The values are ordered by resource and rising number. Each has its JWS (or"
              + " COSE_Sign1) and the public key. \"vigil verify FILE\" checks such a file. Only"
              + " operators get values that a revoked key signed. Readings with the mark"
              + " recovered came from the mote's block store after an outage; they are not"
              + " signed and have neither JWS nor key.")
  @GetMapping("/api/endpoints/{id}/export")
  void endpoint(
      HttpServletRequest request,
      HttpServletResponse response,
      @PathVariable String id,
      @Parameter(
              description = "JSON lines or CSV",
              schema =
                  @Schema(
                      allowableValues = {"jsonl", "csv"},
                      defaultValue = "jsonl"))
          @RequestParam(defaultValue = "jsonl")
          String format)
      throws IOException {
    Export export = export(request, id, format);
    write(export, mirror.archivedPaths(id), 0, export.view().ep(), response);
  }

  @Operation(
      operationId = "exportResource",
      summary = "The stored values of one resource; {path} as below /ms/{id}/")
  @GetMapping("/api/endpoints/{id}/export/{*path}")
  void resource(
      HttpServletRequest request,
      HttpServletResponse response,
      @PathVariable String id,
      @Parameter(
              description = "JSON lines or CSV",
              schema =
                  @Schema(
                      allowableValues = {"jsonl", "csv"},
                      defaultValue = "jsonl"))
          @RequestParam(defaultValue = "jsonl")
          String format,
      @Parameter(
              description = "only values with a higher sequence number",
              schema =
                  @Schema(type = "integer", format = "int64", minimum = "0", defaultValue = "0"))
          @RequestParam(defaultValue = "0")
          long after)
      throws IOException {
    Export export = export(request, id, format);
    // From the request's URI, because the path must keep its percent-encoding.
    String uri = request.getRequestURI();
    String path = uri.substring(uri.indexOf("/export/") + "/export/".length());
    if (!mirror.archivedPaths(id).contains(path)) {
      throw new ProblemException(ProblemType.NOT_FOUND, "there is no value of this resource");
    }
    write(export, List.of(path), after, export.view().ep() + "-" + path, response);
  }

  private Export export(HttpServletRequest request, String id, String format) {
    EndpointView view = readable(request, id);
    Caller caller = HttpCallers.of(request);
    Export export =
        new Export(
            caller,
            HttpCallers.validity(request),
            view,
            shown(caller, view),
            measurement -> true,
            ArchiveStream.format(format));
    limiter.requireAllowed(caller);
    return export;
  }

  private EndpointView readable(HttpServletRequest request, String id) {
    Caller caller = HttpCallers.of(request);
    EndpointView view =
        mirror
            .endpoint(id)
            .orElseThrow(
                () ->
                    UnknownIds.answer(
                        access,
                        caller,
                        Action.READ,
                        mirror.domains().keySet(),
                        "no endpoint has this id"));
    access.require(caller, Action.READ, view.d());
    return view;
  }

  /** Values that a revoked key signed are shown, marked, to operators only. */
  private Predicate<ArchivedValue> shown(Caller caller, EndpointView view) {
    if (access.decide(caller, Action.OPERATE, view.d()) instanceof Access.Allowed) {
      return value -> true;
    }
    if (view.state() == TrustState.REVOKED) {
      throw new ProblemException(ProblemType.NOT_TRUSTED, "the key that signed it is revoked");
    }
    return value -> !value.marks().contains(ValueMark.REVOKED);
  }

  private void write(
      Export export, List<String> paths, long after, String name, HttpServletResponse response)
      throws IOException {
    Writer out = ArchiveStream.begin(response, export.format(), name);
    out.write(export.format().start());
    for (String path : paths) {
      archive.write(export, path, after, out);
    }
    out.flush();
  }
}
