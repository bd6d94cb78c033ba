package dev.vigil.gateway.launch;

import dev.vigil.gateway.access.OperatorToken;
import dev.vigil.gateway.accounts.FirstAdministrator;
import dev.vigil.gateway.cli.BuildVersion;
import dev.vigil.gateway.cluster.RestartRequest;
import dev.vigil.gateway.listening.ListeningAddress;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.ConfigurableEnvironment;

/** Starts the gateway, waits and stops it, on the main thread. */
final class GatewayRun {
  private static final Logger log = LoggerFactory.getLogger(GatewayRun.class);

  /** A supervisor does not start the gateway again: the setting would still be wrong. */
  static final int WRONG_SETTING = 2;

  private static final int FAILED = 1;

  /** Everything that is acknowledged is on disk, so the process may end at any time. */
  private static final long END_SECONDS = 60;

  private final Class<?> application;
  private final PrintStream out;
  private final PrintStream err;
  private final ServiceManager manager;

  GatewayRun(Class<?> application, PrintStream out, PrintStream err) {
    this.application = application;
    this.out = out;
    this.err = err;
    this.manager = new ServiceManager(System.getenv("NOTIFY_SOCKET"), err);
  }

  /**
   * @param seconds time to run after the {@code ready} line; null: until the process is stopped
   * @return the exit code
   */
  int run(List<String> arguments, @Nullable Integer seconds) {
    CountDownLatch closed = new CountDownLatch(1);
    ConfigurableApplicationContext context;
    AtomicReference<@Nullable ConfigurableEnvironment> environment = new AtomicReference<>();
    try {
      SpringApplication spring = new SpringApplication(application);
      // Names the bean definitions of the build.
      spring.setMainApplicationClass(application);
      ApplicationListener<ContextClosedEvent> listener =
          event -> {
            manager.report(ServiceManager.STOPPING);
            closed.countDown();
          };
      ApplicationListener<ApplicationEnvironmentPreparedEvent> prepared =
          event -> {
            environment.set(event.getEnvironment());
            log.info("{}", BuildVersion.text());
          };
      spring.addListeners(listener, prepared);
      context = spring.run(arguments.toArray(String[]::new));
    } catch (RuntimeException e) {
      err.println("vigil: " + StartupErrors.of(e, environment.get()));
      return StartupErrors.isWrongSetting(e) ? WRONG_SETTING : FAILED;
    }
    context
        .getBeanProvider(OperatorToken.class)
        .ifAvailable(token -> out.println("operator token in " + token.file()));
    context.getBean(FirstAdministrator.class).notice().ifPresent(out::println);
    RestartRequest restart = context.getBean(RestartRequest.class);
    restart.onAsk(closed::countDown);
    out.println(ready(context));
    out.flush();
    manager.report(ServiceManager.READY);
    try {
      if (seconds == null) {
        closed.await();
      } else {
        closed.await(seconds, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (restart.isAsked()) {
      endWithin(END_SECONDS);
    }
    // Stops the listeners first and the store last; a second call does nothing.
    context.close();
    return restart.isAsked() ? FAILED : 0;
  }

  /** Ends the process after a fault even if a part of it does not stop. */
  private void endWithin(long seconds) {
    Thread.ofPlatform()
        .daemon()
        .name("end")
        .start(
            () -> {
              try {
                TimeUnit.SECONDS.sleep(seconds);
              } catch (InterruptedException e) {
                return;
              }
              err.printf("vigil: ended, because a part did not stop within %d s%n", seconds);
              err.flush();
              Runtime.getRuntime().halt(FAILED);
            });
  }

  private static String ready(ConfigurableApplicationContext context) {
    Stream<String> addresses =
        context
            .getBeanProvider(ListeningAddress.class)
            .orderedStream()
            .flatMap(listening -> listening.addresses().stream());
    return Stream.concat(Stream.of("ready"), addresses).collect(Collectors.joining(" "));
  }
}
