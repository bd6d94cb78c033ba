package dev.vigil.gateway.addresses;

import dev.vigil.coap.exchange.Access;
import dev.vigil.gateway.api.VisibleDomains;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.listening.ListeningAddress;
import dev.vigil.mirror.MirrorQueries;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lists the addresses at which the gateway listens, for readers who configure clients. */
@RestController
class AddressesController {
  private final ObjectProvider<ListeningAddress> listening;
  private final MirrorQueries mirror;
  private final Access access;

  AddressesController(
      ObjectProvider<ListeningAddress> listening, MirrorQueries mirror, Access access) {
    this.listening = listening;
    this.mirror = mirror;
    this.access = access;
  }

  /**
   * @param addresses URIs with the actual ports, in the order of the {@code ready} line
   */
  record AddressesJson(List<String> addresses) {}

  @Operation(
      operationId = "listAddresses",
      summary = "The addresses that the gateway listens at, with their actual ports",
      description = "Where the settings name no address, loopback stands for all addresses.")
  @GetMapping("/api/addresses")
  AddressesJson addresses(HttpServletRequest request) {
    // Refuses callers without any rights.
    VisibleDomains.of(access, HttpCallers.of(request), mirror.domains().keySet(), null);
    return new AddressesJson(
        listening.orderedStream().flatMap(one -> one.addresses().stream()).toList());
  }
}
