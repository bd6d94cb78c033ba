package dev.vigil.gateway.store.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Three servers, as an operator must run them: each message is synced before it counts. */
final class NatsCluster implements AutoCloseable {
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 1000;
  private static final AtomicInteger TAKEN = new AtomicInteger();

  static final int SERVERS = 3;
  static final SecureRandom RANDOM = new SecureRandom();

  /** A stream that is made has no answer until its servers have elected a leader. */
  private static final Duration ANSWER = Duration.ofSeconds(30);

  /** For questions that are repeated. */
  private static final Duration SOON = Duration.ofSeconds(2);

  /** A disk in memory, on which a sync costs nothing; no test switches the power off. */
  private static final Path MEMORY = Path.of("/dev/shm");

  private static final String NOBODY_LISTENS = "503 No Responders";
  private static final Duration STARTED = Duration.ofSeconds(60);
  private static @Nullable NatsCluster shared;

  private final Path folder;
  private final List<NatsServer> servers = new ArrayList<>();

  NatsCluster() {
    try {
      folder =
          Files.isWritable(MEMORY)
              ? Files.createTempDirectory(MEMORY, "vigil-nats-")
              : Files.createTempDirectory("vigil-nats-");
      List<Integer> ports = freePorts(2 * SERVERS);
      String routes =
          ports.subList(SERVERS, 2 * SERVERS).stream()
              .map(port -> "nats://127.0.0.1:" + port)
              .collect(Collectors.joining(", "));
      for (int i = 0; i < SERVERS; i++) {
        NatsServer server =
            new NatsServer(
                folder.resolve("n" + i),
                ports.get(i),
                """
                server_name: n%d
                jetstream { store_dir: "%s", sync_interval: always, max_file_store: 4GB, max_memory_store: 64MB }
                cluster { name: vigil, listen: "127.0.0.1:%d", routes: [%s] }
                """
                    .formatted(i, folder.resolve("n" + i), ports.get(SERVERS + i), routes));
        servers.add(server);
        server.start();
      }
      awaitLeader();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The cluster of all test classes that kill no server. */
  static synchronized NatsCluster shared() {
    NatsCluster running = shared;
    if (running == null) {
      running = new NatsCluster();
      Runtime.getRuntime().addShutdownHook(new Thread(running::close));
      shared = running;
    }
    return running;
  }

  /**
   * Ports below those that the system chooses, so that no other socket takes one while its server
   * does not run. Each JVM has a range of its own; the other tests' servers use higher ports.
   */
  static List<Integer> freePorts(int count) {
    List<Integer> free = new ArrayList<>();
    while (free.size() < count) {
      int port = FIRST_PORT + PORTS * Integer.getInteger("vigil.fork", 0) + next();
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        free.add(socket.getLocalPort());
      } catch (IOException e) {
        // Another program uses it.
      }
    }
    return free;
  }

  private static int next() {
    return Math.floorMod(ProcessHandle.current().pid() + TAKEN.getAndIncrement(), PORTS);
  }

  /** Waits until a server accepts connections. */
  static void awaitPort(int port) {
    long deadline = System.nanoTime() + STARTED.toNanos();
    while (true) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(socket.isConnected()).isTrue();
        return;
      } catch (IOException e) {
        assertThat(System.nanoTime()).as("a server on port %d", port).isLessThan(deadline);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }

  List<String> urls() {
    return servers.stream().map(NatsServer::url).toList();
  }

  NatsServer server(int number) {
    return servers.get(number);
  }

  ClusterOptions options(String stream) {
    return new ClusterOptions(urls(), stream);
  }

  /** A connection for what the adapter does not do; its user closes it. */
  private Connection connect() {
    try {
      return Nats.connect(
          new Options.Builder()
              .servers(urls().toArray(String[]::new))
              .maxReconnects(-1)
              .connectionTimeout(Duration.ofSeconds(2))
              .errorListener(new io.nats.client.ErrorListener() {})
              .build());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A change of the stream that the adapter never makes, on a connection of its own. */
  @FunctionalInterface
  interface Work<T> {
    T run(JetStreamManagement management) throws IOException, JetStreamApiException;
  }

  <T> T run(Work<T> work) throws IOException, JetStreamApiException {
    return run(ANSWER, work);
  }

  private <T> T run(Duration answer, Work<T> work) throws IOException, JetStreamApiException {
    Connection connection = connect();
    try {
      JetStreamOptions patient = JetStreamOptions.builder().requestTimeout(answer).build();
      return work.run(connection.jetStreamManagement(patient));
    } finally {
      try {
        connection.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A request to the servers. */
  @FunctionalInterface
  interface Call<T> {
    T make() throws IOException, JetStreamApiException, InterruptedException;
  }

  /**
   * Makes a request again while nobody answers: until all servers know a stream that was just made,
   * and during an election.
   *
   * @param nobody a part of the failure's message
   */
  static <T> T answered(String nobody, Call<T> call)
      throws IOException, JetStreamApiException, InterruptedException {
    long deadline = System.nanoTime() + STARTED.toNanos();
    while (true) {
      try {
        return call.make();
      } catch (IOException e) {
        if (!String.valueOf(e.getMessage()).contains(nobody) || System.nanoTime() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }

  /** Nothing is stored while nobody listens, so that a repetition stores nothing twice. */
  static void publish(JetStreamManagement management, String subject, byte[] octets)
      throws IOException, JetStreamApiException {
    try {
      assertThat(
              answered(NOBODY_LISTENS, () -> management.jetStream().publish(subject, octets))
                  .getSeqno())
          .isPositive();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The number of the server that leads a stream. */
  Optional<Integer> leader(String stream) {
    try {
      return run(
          SOON,
          management -> {
            String name = management.getStreamInfo(stream).getClusterInfo().getLeader();
            return IntStream.range(0, SERVERS)
                .boxed()
                .filter(i -> ("n" + i).equals(name))
                .findFirst();
          });
    } catch (IOException | JetStreamApiException e) {
      return Optional.empty();
    }
  }

  /** Waits until streams with three replicas can be made. */
  private void awaitLeader() {
    long deadline = System.nanoTime() + STARTED.toNanos();
    while (true) {
      try {
        run(
            SOON,
            management -> {
              management.addStream(
                  StreamConfiguration.builder()
                      .name("started")
                      .subjects("started")
                      .replicas(SERVERS)
                      .storageType(StorageType.Memory)
                      .build());
              return management.deleteStream("started");
            });
        return;
      } catch (IOException | UncheckedIOException | JetStreamApiException e) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("the cluster did not start; see " + folder, e);
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
    }
  }

  @Override
  public void close() {
    servers.forEach(NatsServer::close);
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failed)
                throws IOException {
              Files.deleteIfExists(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
