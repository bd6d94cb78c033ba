package dev.vigil.gateway.network;

import dev.vigil.border.Bridge;
import dev.vigil.border.capture.Captures;
import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Access.Action;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.gateway.http.HttpCallers;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Every frame and packet as it comes, for Wireshark. The request's own virtual thread writes until
 * the reader goes, the time is over or the gateway stops.
 */
@RestController
class CaptureController implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(CaptureController.class);
  private static final String PCAPNG = "application/x-pcapng";
  private static final long LONGEST = 86_400;
  private static final long RETRY_SECONDS = 10;

  private final Network network;
  private final Access access;
  private volatile boolean running;

  CaptureController(Network network, Access access) {
    this.network = network;
    this.access = access;
  }

  @Operation(
      summary = "A live capture of the radio as pcapng: curl -N ... | wireshark -k -i -",
      description =
          "Ends after so many seconds (a day at most and by default). A reader that is too slow"
              + " loses packets; interface statistics blocks say how many.")
  @GetMapping(path = "/api/network/capture", produces = PCAPNG)
  void capture(
      HttpServletRequest request,
      HttpServletResponse response,
      @RequestParam(defaultValue = "" + LONGEST) long seconds)
      throws IOException {
    access.require(HttpCallers.of(request), Action.ADMINISTER, "");
    if (seconds < 1 || seconds > LONGEST) {
      throw new ExchangeException(Code.BAD_REQUEST, "seconds are 1 to " + LONGEST);
    }
    Captures captures = network.bridge().map(Bridge::captures).orElseThrow(Network::noRadio);
    response.setContentType(PCAPNG);
    response.setHeader(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"vigil.pcapng\"");
    OutputStream out = response.getOutputStream();
    try {
      captures.stream(out, seconds);
    } catch (IllegalStateException e) {
      response.reset();
      throw new ExchangeException(
          Code.SERVICE_UNAVAILABLE, "too many live captures are open", RETRY_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      log.debug("a live capture's reader is gone: {}", e.toString());
    }
  }

  @Override
  public void start() {
    running = true;
  }

  /** First of all, or the web server would wait for streams that never end. */
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
