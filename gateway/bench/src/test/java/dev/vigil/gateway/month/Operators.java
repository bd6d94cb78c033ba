package dev.vigil.gateway.month;

import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.MirrorQueries;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.Presence;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The commander who sends commands, and the operator who approves keys and forgets endpoints. */
final class Operators {
  private final Month month;
  private final Defect defect;
  private int payloads;

  Operators(Month month, Defect defect) {
    this.month = month;
    this.defect = defect;
  }

  /** A commander puts a command; whether the gateway has taken it. */
  boolean command(int mote, @Nullable Duration life) throws InterruptedException {
    MotePlan plan = month.ledger(mote).plan();
    Optional<EndpointView> endpoint = month.endpoint(plan);
    SimulatedGateway running = month.runs().running().orElse(null);
    if (running == null || endpoint.isEmpty()) {
      return false;
    }
    String id = endpoint.get().id();
    long seq = running.mirror().queries().lastCommand(id) + 1;
    String payload = "c" + payloads++;
    long expires =
        life == null
            ? 0
            : month.time().now().plus(month.time().gatewayError()).plus(life).getEpochSecond();
    var request = month.commands().request(plan, id, seq, payload, expires);
    month.commands().taken(request, mote, payload, seq, month.time().micros(), life != null);
    Response response = running.answer(request);
    boolean taken = response.code().isSuccess();
    if (!taken) {
      month.commands().all().removeLast();
    }
    return taken;
  }

  /** An operator forgets an endpoint. */
  void forget(int mote) throws IOException, InterruptedException {
    SimulatedGateway running = month.runs().running().orElse(null);
    Optional<EndpointView> endpoint = month.endpoint(month.ledger(mote).plan());
    if (running != null && endpoint.isPresent()) {
      month.note("mote-%d is forgotten".formatted(mote));
      running.mirror().operations().forgetEndpoint(endpoint.get().id(), "account:owner").join();
      month.ledger(mote).lostSince(0);
      month.commands().all().stream()
          .filter(command -> command.mote == mote)
          .forEach(command -> command.lost = true);
      if (defect == Defect.FORGETS_NUMBERS) {
        month.stopGateway();
        DefectiveStore.countFromZero(month.runs().data(), month.ledger(mote).plan().ep());
        month.startGateway();
      }
    }
  }

  /** An operator approves all keys that wait, unless a full disk takes no decision. */
  void approve() {
    SimulatedGateway running = month.runs().running().orElse(null);
    if (running == null || !month.runs().hasRoom() || defect == Defect.NEVER_APPROVES) {
      return;
    }
    MirrorQueries queries = running.mirror().queries();
    for (String id : queries.registeredIds()) {
      if (queries.presence(id).filter(Presence::keysWait).isPresent()) {
        EndpointView endpoint = queries.endpoint(id).orElseThrow();
        endpoint.waiting().forEach(key -> approve(running, endpoint, key.jkt()));
      }
    }
  }

  private void approve(SimulatedGateway running, EndpointView endpoint, String jkt) {
    month.note("a key of endpoint %s is approved".formatted(endpoint.id()));
    running
        .mirror()
        .operations()
        .approve(jkt, endpoint.id(), List.of(endpoint.d()), "account:owner")
        .join();
  }
}
