package dev.vigil.gateway.publish;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Access.Allowed;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.callers.HttpCallers;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The state of the remote directories. */
@RestController
class DirectoriesController {
  private static final String UNNAMED =
      "a registration failed; operators of all domains see of which endpoint";

  private final Publishers publishers;
  private final Access access;

  DirectoriesController(Publishers publishers, Access access) {
    this.publishers = publishers;
    this.access = access;
  }

  /**
   * @param shown number of endpoints that the directory shows
   * @param error the last error; absent once it is resolved. Only operators of all domains see the
   *     name of the endpoint
   */
  record DirectoryJson(
      String address,
      int shown,
      @Nullable String error,
      @Nullable Instant failedAt,
      @Nullable Instant succeededAt) {

    static DirectoryJson of(Publisher publisher, boolean named) {
      Publisher.State state = publisher.state();
      return new DirectoryJson(
          publisher.address(),
          publisher.shown(),
          state.error() == null || named ? state.error() : UNNAMED,
          state.failed(),
          state.succeeded());
    }
  }

  record DirectoriesJson(List<DirectoryJson> directories) {}

  @Operation(
      operationId = "listDirectories",
      summary = "The remote directories that also publish the endpoints, and their errors")
  @GetMapping("/api/directories")
  DirectoriesJson directories(HttpServletRequest request) {
    Caller caller = HttpCallers.of(request);
    access.require(caller, Action.LOOK_UP, "");
    boolean named = access.decide(caller, Action.OPERATE, Access.EVERY_DOMAIN) instanceof Allowed;
    return new DirectoriesJson(
        publishers.all().stream().map(one -> DirectoryJson.of(one, named)).toList());
  }
}
