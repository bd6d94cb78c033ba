package dev.vigil.gateway.publish;

import static dev.vigil.store.contract.StoreTesting.committed;
import static dev.vigil.store.contract.StoreTesting.plain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.server.ClientRequest;
import dev.vigil.coap.server.ClientResponse;
import dev.vigil.directory.Directory;
import dev.vigil.directory.DirectoryConfig;
import dev.vigil.directory.LinkSources;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.directory.publishing.Registration;
import dev.vigil.gateway.testing.SettableClock;
import dev.vigil.store.EndpointName;
import dev.vigil.store.Fact;
import dev.vigil.store.MemoryStore;
import java.net.URI;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Errors of a remote directory that refuses registrations with {@code et=refused}, and of a client
 * that cannot send {@code et=unsendable}.
 */
class PublisherTest {
  private static final EndpointName MOTE = new EndpointName("mote-1", "home");
  private static final EndpointName OTHER = new EndpointName("mote-2", "home");
  private static final Query.Parameter REFUSED = new Query.Parameter("et", "refused");
  private static final Query.Parameter UNSENDABLE = new Query.Parameter("et", "unsendable");

  private final MemoryStore store = new MemoryStore();
  private final SettableClock clock = new SettableClock();
  private final Directory directory =
      new Directory(
          store,
          new Topics(),
          (caller, action, domain) -> new Access.Allowed(),
          DirectoryConfig.standard(new PublishedLocation("", "/ms", "/keys", ContentFormat.JWK)),
          clock,
          LinkSources.NONE);
  private final Publisher publisher =
      new Publisher(
          new RemoteDirectory(URI.create("coap://[::1]/rd"), PublisherTest::answer),
          "",
          directory,
          store,
          clock,
          new Random(9176));

  private static CompletableFuture<ClientResponse> answer(ClientRequest request) {
    if (request.query().parameters().contains(UNSENDABLE)) {
      return CompletableFuture.failedFuture(new IllegalArgumentException("the option is too long"));
    }
    return CompletableFuture.completedFuture(
        request.query().parameters().contains(REFUSED)
            ? new ClientResponse("4.00", List.of(), new byte[0])
            : new ClientResponse("2.01", List.of("rd", "7"), new byte[0]));
  }

  @AfterEach
  void close() {
    directory.close();
  }

  private void register(EndpointName name, Query.Parameter... parameters) throws Exception {
    Registration registration =
        new Registration(
            new Registration.Published("k".repeat(43)), 600, List.of(), List.of(parameters));
    synchronize(name, registration.toFact());
  }

  private void synchronize(EndpointName name, Fact fact) throws Exception {
    committed(store, plain(name, fact));
    publisher.synchronize(name);
  }

  @Test
  void anEndpointThatIsRemovedFailsNoLonger() throws Exception {
    register(MOTE, REFUSED);
    assertThat(publisher.state().error()).contains("mote-1", "4.00");
    register(OTHER);
    assertThat(publisher.state().error()).as("mote-1 still fails").isNotNull();
    synchronize(MOTE, Fact.none(Registration.SLOT));
    assertThat(publisher.state().error()).isNull();
    assertThat(publisher.state().failed()).isEqualTo(clock.instant());
  }

  @Test
  void anEndpointThatCannotBeSentHoldsUpNoOther() throws Exception {
    store.changes(0, publisher::onChange);
    register(MOTE, UNSENDABLE);
    assertThat(publisher.state().error()).contains("mote-1", "the option is too long");
    register(OTHER);
    assertThat(publisher.shown()).isEqualTo(1);
    assertThat(publisher.state().error()).contains("mote-1");
    register(MOTE);
    assertThat(publisher.shown()).isEqualTo(2);
    assertThat(publisher.state().error()).isNull();
  }

  @Test
  void aRemovedEndpointIsShownNoLonger() throws Exception {
    store.changes(0, publisher::onChange);
    register(MOTE);
    register(OTHER);
    synchronize(MOTE, Fact.none(Registration.SLOT));
    assertThat(publisher.shown()).isEqualTo(1);
  }

  @Test
  void anEndpointThatIsShownAsItIsAgainFailsNoLonger() throws Exception {
    store.changes(0, publisher::onChange);
    register(MOTE);
    register(MOTE, REFUSED);
    assertThat(publisher.state().error()).contains("mote-1", "4.00");
    register(MOTE);
    assertThat(publisher.state().error()).isNull();
  }
}
