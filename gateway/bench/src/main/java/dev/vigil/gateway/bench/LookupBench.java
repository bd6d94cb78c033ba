package dev.vigil.gateway.bench;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.directory.Directory;
import dev.vigil.directory.DirectoryConfig;
import dev.vigil.directory.LinkSources;
import dev.vigil.directory.registration.RegistrationLimits;
import dev.vigil.gateway.bench.load.BenchSupport;
import dev.vigil.gateway.bench.load.FiveLinks;
import dev.vigil.gateway.bench.load.MirrorServer;
import dev.vigil.gateway.bench.load.NoStore;
import dev.vigil.gateway.bench.load.Progress;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Filtered lookups with ten matches in a large directory and in one of 1 000 endpoints, and the
 * heap of an endpoint. The store holds nothing; CPU time of the one working thread.
 */
final class LookupBench implements Benchmark {
  private static final int SMALL = 1000;

  /** Octets of a link of these endpoints. */
  private static final int MIN_LINK = 50;

  @Override
  public List<Target> targets() {
    return List.of(Target.LOOKUP_FLAT, Target.LOOKUP_CPU, Target.DIRECTORY_BYTES);
  }

  @Override
  public List<Figure> measure(Set<Target> wanted, Effort effort) throws Exception {
    int endpoints = effort.of(1_000_000, 100_000);
    Filled small = new Filled(SMALL);
    long before = BenchSupport.heap();
    Progress.say("rd.lookup_flat, rd.bytes_per_endpoint: registers %d endpoints", endpoints);
    Filled large = new Filled(endpoints);
    double bytes = (double) (BenchSupport.heap() - before) / endpoints;
    int lookups = effort.of(30_000, 20_000);
    small.lookUp(2 * lookups);
    large.lookUp(2 * lookups);
    Figure flat =
        effort.pairs(
            Target.LOOKUP_FLAT,
            effort.of(11, 5),
            () -> large.lookUp(lookups),
            () -> small.lookUp(lookups));
    List<Figure.Round> each =
        flat.rounds().stream().map(round -> Figure.Round.of(round.value())).toList();
    return List.of(
        flat, new Figure(Target.LOOKUP_CPU, each), Figure.of(Target.DIRECTORY_BYTES, bytes));
  }

  /** A directory of this many endpoints. */
  static final class Filled {
    private final int endpoints;
    private final RequestDispatcher dispatcher;

    /** The client is in a trusted network: other clients may not make so many lookups in a row. */
    private final Caller caller =
        new Caller(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 5683),
            true,
            true,
            false,
            new Caller.Anonymous());

    Filled(int endpoints) {
      this.endpoints = endpoints;
      Directory directory =
          new Directory(
              new NoStore(),
              new Topics(),
              (whoever, action, domain) -> new Access.Allowed(),
              DirectoryConfig.standard(MirrorServer.PUBLISHED)
                  .with(
                      RegistrationLimits.standard()
                          .withRegistrations(20_000_000)
                          .withOctets(Long.MAX_VALUE / 2)
                          .withRate(1_000_000, 60)),
              Clock.systemUTC(),
              LinkSources.NONE);
      dispatcher = new RequestDispatcher(directory.routes());
      for (int i = 0; i < endpoints; i++) {
        Response response = ask(Method.POST, "rd", FiveLinks.query(i), FiveLinks.links(i));
        if (!response.code().isSuccess()) {
          throw new IllegalStateException(new String(response.payload(), StandardCharsets.UTF_8));
        }
      }
    }

    /** Microseconds of CPU for each lookup. */
    double lookUp(int count) {
      long cpu = cpu();
      for (int i = 0; i < count; i++) {
        int wanted = Math.abs((int) (i * 2_654_435_761L % (endpoints / 10)));
        Response found = ask(Method.GET, "rd-lookup/res", "rt=temperature-" + wanted, "");
        requireLinks(found, wanted);
      }
      return (cpu() - cpu) / 1e3 / count;
    }

    /**
     * Detects refused lookups, which cost almost nothing: ten links are longer than any error's
     * text.
     */
    private static void requireLinks(Response found, int wanted) {
      if (!found.code().isSuccess() || found.payload().length < 10 * MIN_LINK) {
        throw new IllegalStateException(
            "temperature-%d: %s %s"
                .formatted(
                    wanted, found.code(), new String(found.payload(), StandardCharsets.UTF_8)));
      }
    }

    private Response ask(Method method, String path, String query, String text) {
      byte[] payload = text.getBytes(StandardCharsets.UTF_8);
      Request request =
          new Request(
              method,
              Arrays.asList(path.split("/")),
              new Query(Arrays.stream(query.split("&")).map(Query.Parameter::parse).toList()),
              payload.length == 0 ? null : ContentFormat.LINK_FORMAT,
              payload,
              List.of(),
              true,
              caller,
              "coap://127.0.0.1");
      return dispatcher.answer(request).join();
    }
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
