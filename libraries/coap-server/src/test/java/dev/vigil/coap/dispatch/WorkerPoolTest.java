package dev.vigil.coap.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.deferral.Deferral;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {
  private static final int TIMEOUT_SECONDS = 30;

  private final WorkerPool workers = new WorkerPool(1, Executors.defaultThreadFactory());

  @AfterEach
  void end() {
    workers.shutdownNow();
  }

  @Test
  void runsSubmittedTasksAfterTheCurrentOneOnItsThread() throws Exception {
    List<String> ran = new CopyOnWriteArrayList<>();
    CompletableFuture<Thread> second = new CompletableFuture<>();
    CompletableFuture<Thread> first = new CompletableFuture<>();
    workers.execute(
        () -> {
          workers.execute(
              () -> {
                ran.add("second");
                second.complete(Thread.currentThread());
              });
          ran.add("first");
          first.complete(Thread.currentThread());
        });
    assertThat(second.get(TIMEOUT_SECONDS, TimeUnit.SECONDS))
        .isSameAs(first.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    assertThat(ran).containsExactly("first", "second");
  }

  @Test
  void givesOtherTasksATurn() throws Exception {
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
    others.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void runsDeferredStepsAfterTheTasksThatWereWaiting() throws Exception {
    List<String> ran = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> queued = new CompletableFuture<>();
    CompletableFuture<Void> done = new CompletableFuture<>();
    workers.execute(
        () -> {
          queued.join();
          Deferral.defer(() -> ran.add("step of 1"));
          ran.add("task 1");
        });
    workers.execute(
        () -> {
          Deferral.defer(() -> done.complete(null));
          ran.add("task 2");
        });
    workers.execute(() -> ran.add("task 3"));
    queued.complete(null);
    done.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    assertThat(ran).containsExactly("task 1", "task 2", "task 3", "step of 1");
  }

  @Test
  void runsAStepWithoutWaitingForAnotherTask() throws Exception {
    CompletableFuture<Void> step = new CompletableFuture<>();
    workers.execute(() -> Deferral.defer(() -> step.complete(null)));
    step.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void runsStepsAfterABoundedNumberOfTasks() throws Exception {
    CompletableFuture<Void> step = new CompletableFuture<>();
    class Endless implements Runnable {
      @Override
      public void run() {
        if (!step.isDone()) {
          workers.executeLast(this);
        }
      }
    }
    workers.execute(new Endless());
    workers.execute(() -> Deferral.defer(() -> step.complete(null)));
    step.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void continuesAfterAFailedTask() throws Exception {
    CompletableFuture<Void> next = new CompletableFuture<>();
    workers.execute(
        () -> {
          workers.execute(() -> next.complete(null));
          throw new IllegalStateException("expected by the test");
        });
    next.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }
}
