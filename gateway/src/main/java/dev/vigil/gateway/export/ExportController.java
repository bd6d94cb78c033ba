package dev.vigil.gateway.export;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Access.Action;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.gateway.http.HttpCallers;
import dev.vigil.mirror.ArchivedValue;
import dev.vigil.mirror.EndpointView;
import dev.vigil.mirror.Mark;
import dev.vigil.mirror.MirrorProxy;
import dev.vigil.mirror.TrustState;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Streams what is kept of an endpoint, with what the endpoint signed beside each value. */
@RestController
class ExportController {
  private static final int PAGE = 200;

  private final MirrorProxy mirror;
  private final Access access;

  ExportController(MirrorProxy mirror, Access access) {
    this.mirror = mirror;
    this.access = access;
  }

  /** How an archive is written. */
  enum Format {
    CSV("text/csv;charset=utf-8", CsvRows.HEADER + "\r\n"),
    JSONL("application/x-ndjson", "");

    private final String mediaType;
    private final String start;

    Format(String mediaType, String start) {
      this.mediaType = mediaType;
      this.start = start;
    }

    String write(Reading reading) {
      return switch (this) {
        case CSV -> CsvRows.write(reading);
        case JSONL -> JsonLines.write(reading) + "\n";
      };
    }
  }

  @Operation(
      summary = "What is kept of all resources of an endpoint, as CSV or JSON lines",
      description =
          "Resource by resource, by rising number, each value with the JWS (or COSE_Sign1) and the"
              + " public key beside it. \"vigil verify FILE\" checks such a file. What a revoked key"
              + " signed is only in an operator's.")
  @GetMapping("/api/endpoints/{id}/export")
  void endpoint(
      HttpServletRequest request,
      HttpServletResponse response,
      @PathVariable String id,
      @RequestParam(defaultValue = "jsonl") String format)
      throws IOException {
    EndpointView view = readable(request, id);
    Predicate<ArchivedValue> shown = shown(request, view);
    write(view, mirror.archivedPaths(id), 0, shown, format(format), view.ep(), response);
  }

  @Operation(summary = "The same of one resource; {path} as below /ms/{id}/")
  @GetMapping("/api/endpoints/{id}/export/{*path}")
  void resource(
      HttpServletRequest request,
      HttpServletResponse response,
      @PathVariable String id,
      @RequestParam(defaultValue = "jsonl") String format,
      @RequestParam(defaultValue = "0") long after)
      throws IOException {
    EndpointView view = readable(request, id);
    // As it stands in the request: a path keeps its percent-encoding.
    String uri = request.getRequestURI();
    String path = uri.substring(uri.indexOf("/export/") + "/export/".length());
    if (!mirror.archivedPaths(id).contains(path)) {
      throw new ExchangeException(Code.NOT_FOUND, "there is no value of this resource");
    }
    Predicate<ArchivedValue> shown = shown(request, view);
    String name = view.ep() + "-" + path;
    write(view, List.of(path), after, shown, format(format), name, response);
  }

  private EndpointView readable(HttpServletRequest request, String id) {
    EndpointView view =
        mirror
            .endpoint(id)
            .orElseThrow(() -> new ExchangeException(Code.NOT_FOUND, "no endpoint has this id"));
    access.require(HttpCallers.of(request), Action.READ, view.d());
    return view;
  }

  /** As everywhere else: what a revoked key signed is marked for operators, and not for readers. */
  private Predicate<ArchivedValue> shown(HttpServletRequest request, EndpointView view) {
    Caller caller = HttpCallers.of(request);
    if (access.decide(caller, Action.ADMINISTER, view.d()) instanceof Access.Allowed) {
      return value -> true;
    }
    if (view.state() == TrustState.REVOKED) {
      throw new ExchangeException(Code.FORBIDDEN, "the key that signed it is revoked");
    }
    return value -> !value.marks().contains(Mark.REVOKED);
  }

  private static Format format(String name) {
    return switch (name) {
      case "csv" -> Format.CSV;
      case "jsonl" -> Format.JSONL;
      default -> throw new ExchangeException(Code.BAD_REQUEST, "format is csv or jsonl");
    };
  }

  private void write(
      EndpointView view,
      List<String> paths,
      long after,
      Predicate<ArchivedValue> shown,
      Format format,
      String name,
      HttpServletResponse response)
      throws IOException {
    response.setContentType(format.mediaType);
    response.setHeader("Cache-Control", "no-store");
    String file = name.replaceAll("[^A-Za-z0-9._-]", "_");
    String end = format == Format.CSV ? ".csv" : ".jsonl";
    response.setHeader("Content-Disposition", "attachment; filename=\"" + file + end + "\"");
    Writer out = new OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8);
    out.write(format.start);
    for (String path : paths) {
      write(view, path, after, shown, format, out);
    }
    out.flush();
  }

  private void write(
      EndpointView view,
      String path,
      long after,
      Predicate<ArchivedValue> shown,
      Format format,
      Writer out)
      throws IOException {
    long from = after;
    while (true) {
      List<ArchivedValue> page = mirror.archived(view.id(), path, from, PAGE);
      for (ArchivedValue value : page) {
        if (shown.test(value)) {
          out.write(format.write(Reading.of(view, value)));
        }
      }
      if (page.size() < PAGE) {
        return;
      }
      from = page.getLast().seq();
    }
  }
}
