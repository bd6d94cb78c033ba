package dev.vigil.directory.coap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkersTest {
  private static final int LIMIT_SECONDS = 30;

  private final Workers workers = new Workers(1, Executors.defaultThreadFactory());

  @AfterEach
  void end() {
    workers.shutdownNow();
  }

  @Test
  void whatATaskHandsOnRunsAfterItOnTheSameThread() throws Exception {
    List<String> ran = new CopyOnWriteArrayList<>();
    CompletableFuture<Thread> second = new CompletableFuture<>();
    CompletableFuture<Thread> first = new CompletableFuture<>();
    workers.execute(
        () -> {
          workers.execute(
              () -> {
                ran.add("handed on");
                second.complete(Thread.currentThread());
              });
          ran.add("first");
          first.complete(Thread.currentThread());
        });
    assertThat(second.get(LIMIT_SECONDS, TimeUnit.SECONDS))
        .isSameAs(first.get(LIMIT_SECONDS, TimeUnit.SECONDS));
    assertThat(ran).containsExactly("first", "handed on");
  }

  @Test
  void aTaskThatHandsOnWithoutEndLeavesOthersTheirTurn() throws Exception {
    CompletableFuture<Void> others = new CompletableFuture<>();
    class Endless implements Runnable {
      @Override
      public void run() {
        if (!others.isDone()) {
          workers.execute(this);
        }
      }
    }
    workers.execute(new Endless());
    workers.execute(() -> others.complete(null));
    others.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void aTaskThatFailsDoesNotTakeTheNextWithIt() throws Exception {
    CompletableFuture<Void> next = new CompletableFuture<>();
    workers.execute(
        () -> {
          workers.execute(() -> next.complete(null));
          throw new IllegalStateException("on purpose, in a test");
        });
    next.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }
}
