package dev.vigil.gateway.associations;

import dev.vigil.border.associations.AssociationState;
import dev.vigil.border.associations.AssociationStatus;
import dev.vigil.border.associations.InstallReport;
import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.Page;
import dev.vigil.gateway.api.PageCursor;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.MirrorOperations;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the IPsec associations that end at the gateway, never their keys, and loads their file. */
@RestController
public class AssociationsController {
  private static final Logger log = LoggerFactory.getLogger(AssociationsController.class);
  private static final int MAX_LIMIT = 1000;

  private final AssociationLoader loader;
  private final MirrorOperations mirror;
  private final Access access;

  AssociationsController(AssociationLoader loader, MirrorOperations mirror, Access access) {
    this.loader = loader;
    this.mirror = mirror;
    this.access = access;
  }

  /**
   * @param loadedAt when the running associations were read
   * @param problem why the present file is not used; absent when it is used
   * @param next the {@code after} of the next page; absent at the end
   */
  record AssociationsJson(
      String file,
      Instant loadedAt,
      @Nullable String problem,
      List<AssociationJson> associations,
      @Nullable String next) {}

  /**
   * @param line of the file
   * @param direction {@code in}, {@code out} or {@code store}
   * @param state {@code ready}, {@code record_missing} or {@code exhausted}
   * @param octets of the packets in clear
   * @param policyDrops packets that the association must not carry, and packets that should have
   *     used it and did not
   * @param otherDrops malformed packets, and packets of an association that carries none
   * @param octetsSaved by compressed headers on the air
   */
  public record AssociationJson(
      int line,
      @Schema(allowableValues = {"in", "out"}) String direction,
      String protocol,
      String profile,
      String spi,
      String source,
      String destination,
      @Schema(allowableValues = {"ready", "record_missing", "exhausted"}) String state,
      long packets,
      long octets,
      long icvFailures,
      long replays,
      long policyDrops,
      long otherDrops,
      long octetsSaved,
      List<String> warnings) {
    public static AssociationJson of(AssociationStatus status) {
      AssociationStatus.Figures figures = status.figures().get();
      AssociationState state = status.state().get();
      return new AssociationJson(
          status.line(),
          status.direction(),
          status.header(),
          status.profile(),
          "0x%08x".formatted(status.spi()),
          status.source().toString(),
          status.destination().toString(),
          state.name().toLowerCase(Locale.ROOT),
          figures.packets(),
          figures.octets(),
          figures.icvFailures(),
          figures.replays(),
          figures.policyDrops(),
          figures.otherDrops(),
          figures.octetsSaved(),
          status.warnings());
    }
  }

  /**
   * @param stopped a sentence for each association that carries nothing
   */
  record ReloadJson(int added, int kept, int removed, List<String> stopped) {}

  @Operation(
      operationId = "listSecurityAssociations",
      summary = "The IPsec associations that end here, in the order of their file",
      description = "Keys are never shown. 404 if the settings name no file.")
  @GetMapping("/api/security-associations")
  AssociationsJson associations(
      HttpServletRequest request,
      @RequestParam @Nullable String after,
      @RequestParam(defaultValue = "100") int limit) {
    String file = require(request);
    int size = PageCursor.limit(limit, MAX_LIMIT);
    int from = after == null ? 0 : line(after);
    Page<AssociationStatus> page =
        Page.of(
            loader.statuses().stream().filter(one -> one.line() > from),
            size,
            last -> PageCursor.of(Integer.toString(last.line())));
    AssociationLoader.Loaded loaded = loader.loaded();
    return new AssociationsJson(
        file,
        loaded.at(),
        loaded.problem(),
        page.items().stream().map(AssociationJson::of).toList(),
        page.next());
  }

  private static int line(String after) {
    String line = PageCursor.read(after, 1).getFirst();
    if (!line.matches("[0-9]{1,9}")) {
      throw new ProblemException(
          ProblemType.INVALID_CURSOR, "after must be the next of an earlier answer");
    }
    return Integer.parseInt(line);
  }

  @Operation(
      operationId = "reloadSecurityAssociations",
      summary = "Reads the file of associations again",
      description =
          "Unchanged associations keep their sequence numbers and windows. A file with errors"
              + " changes nothing. new confirms that associations without a record of sequence"
              + " numbers were never used.")
  @PostMapping("/api/security-associations/reload")
  ReloadJson reload(
      HttpServletRequest request,
      @Parameter(description = "whether associations without a record were never used")
          @RequestParam(name = "new", defaultValue = "false")
          boolean fresh) {
    require(request);
    Caller caller = HttpCallers.of(request);
    try {
      InstallReport report = loader.load(fresh);
      log.warn("IPsec: {}, requested by {} from {}", report, caller.label(), caller.source());
      FutureResults.done(
          mirror.recordAction("associations loaded on request: " + report, caller.label()));
      return new ReloadJson(report.added(), report.kept(), report.removed(), report.stopped());
    } catch (IOException e) {
      throw new ProblemException(ProblemType.CONFLICT, String.valueOf(e.getMessage()));
    }
  }

  private String require(HttpServletRequest request) {
    access.require(HttpCallers.of(request), Action.OPERATE, Access.EVERY_DOMAIN);
    return loader
        .file()
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemType.NOT_FOUND, "vigil.border.ipsec names no file of associations"))
        .toString();
  }
}
