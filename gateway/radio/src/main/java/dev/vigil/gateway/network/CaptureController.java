package dev.vigil.gateway.network;

import dev.vigil.border.bridge.Bridge;
import dev.vigil.border.capture.Captures;
import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.bridge.BridgeLifecycle;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Streams every frame and packet, for Wireshark. The request's virtual thread writes until the
 * client disconnects, the time is over or the gateway stops.
 */
@RestController
class CaptureController implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(CaptureController.class);
  private static final String PCAPNG = "application/x-pcapng";
  private static final long MAX_SECONDS = 86_400;
  private static final long RETRY_SECONDS = 10;

  private final BridgeLifecycle network;
  private final Access access;
  private volatile boolean running;

  CaptureController(BridgeLifecycle network, Access access) {
    this.network = network;
    this.access = access;
  }

  @Operation(
      operationId = "captureNetwork",
      summary = "A live capture of the radio as pcapng: curl -N ... | wireshark -k -i -",
      description =
          "Ends after the given seconds (a day at most and by default). A reader that is too slow"
              + " loses packets; interface statistics blocks count them.")
  @GetMapping(path = "/api/network/capture", produces = PCAPNG)
  void capture(
      HttpServletRequest request,
      HttpServletResponse response,
      @Parameter(
              description = "how long; a day by default",
              schema =
                  @Schema(type = "integer", format = "int64", minimum = "1", maximum = "86400"))
          @RequestParam(defaultValue = "" + MAX_SECONDS)
          long seconds)
      throws IOException {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.OPERATE, Access.EVERY_DOMAIN);
    BooleanSupplier valid = HttpCallers.validity(request);
    if (seconds < 1 || seconds > MAX_SECONDS) {
      throw new ProblemException(
          ProblemType.INVALID_PARAMETER, "seconds must be 1 to " + MAX_SECONDS);
    }
    Captures captures =
        network.bridge().map(Bridge::captures).orElseThrow(BridgeLifecycle::noRadio);
    response.setContentType(PCAPNG);
    response.setHeader(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"vigil.pcapng\"");
    OutputStream out =
        new GuardedOutput(
            response.getOutputStream(),
            () ->
                valid.getAsBoolean()
                    && access.decide(caller, Action.OPERATE, Access.EVERY_DOMAIN)
                        instanceof Access.Allowed);
    try {
      captures.stream(out, seconds);
    } catch (IllegalStateException e) {
      response.reset();
      throw new ProblemException(
          ProblemType.OVERLOADED, "too many live captures are open", RETRY_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      log.debug("the reader of a live capture disconnected or lost its rights: {}", e.toString());
    }
  }

  @Override
  public void start() {
    running = true;
  }

  /** Stops before the web server, which would otherwise wait for the streams to end. */
  @Override
  public void stop() {
    running = false;
    network.bridge().map(Bridge::captures).ifPresent(Captures::endLive);
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
