package dev.vigil.gateway.webpush.browsers;

import dev.vigil.coap.limits.RateLimiter;
import dev.vigil.coap.limits.RateLimiter.Rate;
import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.accounts.AccountRights;
import dev.vigil.gateway.accounts.OwnerGrants;
import dev.vigil.gateway.accounts.Sessions;
import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.credentials.GatewayCookie;
import dev.vigil.gateway.northbound.Language;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.webpush.BrowserKeys;
import dev.vigil.gateway.webpush.PushService;
import dev.vigil.gateway.webpush.VapidKey;
import dev.vigil.gateway.webpush.WebPushProperties;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The browsers of the signed-in account that get notifications of alarms. */
@RestController
class BrowsersController {
  private static final String ALL = "/api/account/browsers";
  private static final String ONE = ALL + "/{id}";

  /** Of each account: subscriptions and tests. */
  private static final Rate CHANGES = Rate.perMinute(20);

  private final Browsers browsers;
  private final AccountRights rights;
  private final OwnerGrants owners;
  private final PushDestinations push;
  private final WebPushProperties settings;
  private final VapidKey key;
  private final RateLimiter<String> rates;
  private final Clock clock;

  BrowsersController(
      Browsers browsers,
      AccountRights rights,
      OwnerGrants owners,
      PushDestinations push,
      WebPushProperties settings,
      VapidKey key,
      Clock clock) {
    this.browsers = browsers;
    this.rights = rights;
    this.owners = owners;
    this.push = push;
    this.settings = settings;
    this.key = key;
    this.rates = new RateLimiter<>(clock);
    this.clock = clock;
  }

  /**
   * A browser that gets notifications.
   *
   * @param id SHA-256 of its address at the push service, base64url
   * @param client the browser's User-Agent
   */
  record PushBrowserJson(String id, String client, Instant createdAt) {
    static PushBrowserJson of(Versioned<BrowserRecord> stored) {
      return new PushBrowserJson(stored.id(), stored.value().client(), stored.value().createdAt());
    }
  }

  /**
   * @param key public key of the gateway, for the browser's subscription; absent: the settings do
   *     not switch web push on
   */
  record PushBrowsersJson(@Nullable String key, List<PushBrowserJson> browsers) {}

  /**
   * A subscription as the browser makes it.
   *
   * @param endpoint address of the push service for this browser
   * @param p256dh public key of the browser, base64url
   * @param auth secret of the browser, base64url
   * @param language of the notifications
   */
  record NewPushBrowserJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String endpoint,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String p256dh,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String auth,
      @Schema(allowableValues = {"en", "de"}) @Nullable String language) {
    @Override
    public String toString() {
      return "NewPushBrowserJson[not shown]";
    }
  }

  /**
   * @param accepted whether the push service took the message
   * @param answer status of the push service, or the reason why there is none
   */
  record PushTestJson(boolean accepted, String answer) {}

  @Operation(
      operationId = "listPushBrowsers",
      summary = "The caller's browsers that get notifications of alarms")
  @GetMapping(ALL)
  PushBrowsersJson list(HttpServletRequest request) {
    return new PushBrowsersJson(
        settings.isOn() ? key.publicKey() : null,
        browsers.of(owner(request)).stream().map(PushBrowserJson::of).toList());
  }

  @Operation(
      operationId = "addPushBrowser",
      summary = "Sends notifications of alarms to the caller's browser",
      description =
          "The push service must be one of the settings. A second request for the same browser"
              + " replaces the first one.",
      requestBody =
          @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = NewPushBrowserJson.class))))
  @PostMapping(path = ALL, consumes = MediaType.APPLICATION_JSON_VALUE)
  @ResponseStatus(HttpStatus.CREATED)
  PushBrowserJson add(HttpServletRequest request) throws IOException {
    String account = owner(request);
    NewPushBrowserJson body = JsonBodies.read(request, NewPushBrowserJson.class);
    String address = address(JsonBodies.required(body.endpoint(), "endpoint"));
    String p256dh = JsonBodies.required(body.p256dh(), "p256dh");
    String auth = JsonBodies.required(body.auth(), "auth");
    try {
      BrowserKeys.of(p256dh, auth);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(
          ProblemType.INVALID_BODY, "p256dh and auth must be the keys of a browser (RFC 8291)");
    }
    requireRate(account);
    BrowserRecord browser =
        new BrowserRecord(
            account,
            owners.made(account),
            session(request),
            address,
            p256dh,
            auth,
            key.publicKey(),
            language(body.language()),
            Sessions.shown(request.getHeader(HttpHeaders.USER_AGENT)),
            clock.instant());
    Audit audit = Audit.of(HttpCallers.of(request), "subscribed a browser of " + account);
    return PushBrowserJson.of(browsers.put(browser, audit));
  }

  private String address(String endpoint) {
    if (!settings.isOn()) {
      throw new ProblemException(
          ProblemType.CONFLICT, "the settings do not switch web push on: set web-push.contact");
    }
    try {
      URI address = URI.create(endpoint);
      if (settings.permits(address)) {
        return address.toString();
      }
    } catch (IllegalArgumentException e) {
      throw new ProblemException(ProblemType.INVALID_BODY, "endpoint must be an address");
    }
    throw new ProblemException(
        ProblemType.INVALID_BODY,
        "the push service of this browser is not in the settings: see web-push.services");
  }

  private static Language language(@Nullable String label) {
    return switch (label == null ? "en" : label) {
      case "en" -> Language.EN;
      case "de" -> Language.DE;
      default -> throw new ProblemException(ProblemType.INVALID_BODY, "language must be en or de");
    };
  }

  @Operation(
      operationId = "removePushBrowser",
      summary = "Ends the notifications of a browser of the caller")
  @DeleteMapping(ONE)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void remove(HttpServletRequest request, @PathVariable String id) {
    String account = owner(request);
    Audit audit = Audit.of(HttpCallers.of(request), "unsubscribed a browser of " + account);
    browsers.remove(browsers.require(account, id), audit);
  }

  @Operation(
      operationId = "testPushBrowser",
      summary = "Sends a notification that is marked as a test to a browser of the caller")
  @PostMapping(ONE + "/test")
  PushTestJson test(HttpServletRequest request, @PathVariable String id)
      throws InterruptedException {
    String account = owner(request);
    Versioned<BrowserRecord> browser = browsers.require(account, id);
    PushDestination destination =
        push.destination()
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemType.CONFLICT, "the settings do not switch web push on"));
    requireRate(account);
    try {
      PushService.Answer answer =
          destination.send(browser, PushText.test(browser.value().language()), true);
      return new PushTestJson(
          answer.outcome() == PushService.Outcome.SENT, Integer.toString(answer.status()));
    } catch (IOException e) {
      String reason = e.getMessage();
      return new PushTestJson(false, reason == null ? e.getClass().getSimpleName() : reason);
    }
  }

  private void requireRate(String account) {
    long seconds = rates.take(account, CHANGES);
    if (seconds > 0) {
      throw new ProblemException(
          ProblemType.TOO_MANY_REQUESTS, "too many requests of this account; try again", seconds);
    }
  }

  private static String session(HttpServletRequest request) {
    String cookie = GatewayCookie.SESSION.of(request);
    return cookie == null ? "" : Secrets.hash(cookie);
  }

  private String owner(HttpServletRequest request) {
    return rights.requireOwner(request, "notifications");
  }
}
