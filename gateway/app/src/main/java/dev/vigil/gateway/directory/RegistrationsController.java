package dev.vigil.gateway.directory;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.directory.Directory;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.publishing.Registration.Direct;
import dev.vigil.directory.publishing.Registration.Published;
import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.api.Page;
import dev.vigil.gateway.api.PageCursor;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.limits.SearchLimiter;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.mirror.MirrorOperations;
import dev.vigil.mirror.MirrorQueries;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lists the plain registrations in the directory, and lets operators forget them. */
@RestController
class RegistrationsController {
  private static final int MAX_LIMIT = 1000;
  private static final int CURSOR_PARTS = 3;
  private static final Comparator<CatalogueEntry> ORDER =
      Comparator.comparing((CatalogueEntry entry) -> entry.name().d())
          .thenComparing(entry -> entry.name().ep())
          .thenComparing(CatalogueEntry::id);

  private final Directory directory;
  private final RequestDispatcher dispatcher;
  private final MirrorQueries mirror;
  private final MirrorOperations operations;
  private final Access access;
  private final Clock clock;
  private final SearchLimiter limiter;

  RegistrationsController(
      Directory directory,
      RequestDispatcher dispatcher,
      MirrorQueries mirror,
      MirrorOperations operations,
      Access access,
      Clock clock,
      SearchLimiter limiter) {
    this.directory = directory;
    this.dispatcher = dispatcher;
    this.mirror = mirror;
    this.operations = operations;
    this.access = access;
    this.clock = clock;
    this.limiter = limiter;
  }

  /**
   * @param next the {@code after} of the next page; absent at the end
   */
  record RegistrationsJson(List<RegistrationJson> registrations, @Nullable String next) {}

  @Operation(
      operationId = "listRegistrations",
      summary = "Plain registrations in the directory, in the order of domains and names",
      description =
          "Endpoints of the mirror are not listed. text is searched for in names and bases.")
  @GetMapping("/api/registrations")
  RegistrationsJson registrations(
      HttpServletRequest request,
      @RequestParam @Nullable String ep,
      @RequestParam @Nullable String d,
      @RequestParam @Nullable String text,
      @RequestParam @Nullable String after,
      @RequestParam(defaultValue = "100") int limit) {
    String domain = d == null ? null : DomainNames.named(d);
    Caller caller = HttpCallers.of(request);
    VisibleDomains visible = VisibleDomains.of(access, caller, mirror.domains().keySet(), domain);
    int size = PageCursor.limit(limit, MAX_LIMIT);
    Position from = after == null ? null : Position.read(after);
    Predicate<CatalogueEntry> wanted =
        entry ->
            (ep == null || ep.equals(entry.name().ep()))
                && (domain == null || domain.equals(entry.name().d()))
                && (text == null || contains(entry, text.toLowerCase(Locale.ROOT)))
                && visible.test(entry.name().d())
                && (from == null || from.isBefore(entry));
    Page<CatalogueEntry> page =
        limiter.search(
            caller,
            () ->
                Page.of(
                    directory.plainRegistrations().stream().filter(wanted).sorted(ORDER),
                    size,
                    last -> Position.of(last).cursor()));
    return new RegistrationsJson(
        page.items().stream().flatMap(entry -> json(entry).stream()).toList(), page.next());
  }

  private static boolean contains(CatalogueEntry entry, String lowerCase) {
    return entry.name().ep().toLowerCase(Locale.ROOT).contains(lowerCase)
        || entry.content().origin() instanceof Direct direct
            && direct.base().toLowerCase(Locale.ROOT).contains(lowerCase);
  }

  private Optional<RegistrationJson> json(CatalogueEntry entry) {
    return switch (entry.content().origin()) {
      case Direct direct -> Optional.of(RegistrationJson.of(entry, direct, clock.millis()));
      case Published published -> Optional.empty();
    };
  }

  /** A place in the order of registrations. */
  private record Position(String d, String ep, String id) {
    static Position of(CatalogueEntry entry) {
      return new Position(entry.name().d(), entry.name().ep(), entry.id());
    }

    static Position read(String after) {
      List<String> parts = PageCursor.read(after, CURSOR_PARTS);
      return new Position(parts.get(0), parts.get(1), parts.get(2));
    }

    String cursor() {
      return PageCursor.of(d, ep, id);
    }

    boolean isBefore(CatalogueEntry entry) {
      return Comparator.comparing(Position::d)
              .thenComparing(Position::ep)
              .thenComparing(Position::id)
              .compare(this, of(entry))
          < 0;
    }
  }

  @Operation(
      operationId = "forgetRegistration",
      summary = "Forgets a plain registration: lookups no longer show it",
      description = "Its endpoint can register again.")
  @DeleteMapping("/api/registrations/{registration}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void forget(HttpServletRequest request, @PathVariable String registration) {
    Caller caller = HttpCallers.of(request);
    CatalogueEntry entry =
        directory
            .registration(registration)
            .filter(one -> one.content().origin() instanceof Direct)
            .orElse(null);
    if (entry == null) {
      // Refuses callers without any rights before they learn which ids exist.
      VisibleDomains.of(access, caller, Action.OPERATE, mirror.domains().keySet(), null);
      throw new ProblemException(ProblemType.NOT_FOUND, "no plain registration has this id");
    }
    access.require(caller, Action.OPERATE, entry.name().d());
    Request delete =
        new Request(
            Method.DELETE,
            List.of("rd", entry.id()),
            Query.EMPTY,
            null,
            new byte[0],
            List.of(),
            true,
            caller);
    Response answer = FutureResults.of(dispatcher.answer(delete));
    if (!answer.code().isSuccess()) {
      throw ProblemException.of(answer);
    }
    FutureResults.done(
        operations.recordAction("forgot the registration of " + entry.name(), caller.label()));
  }
}
