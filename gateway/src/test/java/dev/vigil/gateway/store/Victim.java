package dev.vigil.gateway.store;

import static dev.vigil.gateway.store.Given.fact;
import static dev.vigil.gateway.store.Given.mote;
import static dev.vigil.gateway.store.Given.numbered;

import dev.vigil.directory.state.Outcome;
import dev.vigil.directory.state.StoreException;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;

/**
 * A process to be killed. Each of its threads writes numbers to an endpoint of its own without end
 * and says which were acknowledged: {@code ack mote-3 17}. It ends by itself only when the disk or
 * the folder refuses: {@code failed} and the sentence.
 */
final class Victim {
  static final int THREADS = 4;
  static final int BODY = 2000;

  private Victim() {}

  public static void main(String[] args) throws InterruptedException {
    SqliteStore store;
    try {
      store = SqliteStore.open(Path.of(args[0]));
    } catch (StoreException refused) {
      say("failed " + refused.getMessage());
      return;
    }
    say("open");
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      String ep = "mote-" + i;
      threads[i] = Thread.ofPlatform().start(() -> write(store, ep));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    store.close();
  }

  private static void write(SqliteStore store, String ep) {
    long number = store.endpoint(mote(ep)).map(e -> e.high()).orElse(0L);
    try {
      while (true) {
        number++;
        String body = number + " " + "x".repeat(BODY);
        Outcome outcome =
            store
                .submit(
                    numbered(mote(ep), number, fact("v", 5000, body), fact("n", 1, "" + number)))
                .join();
        if (outcome instanceof Outcome.Landed) {
          say("ack " + ep + " " + number);
        }
      }
    } catch (CompletionException e) {
      if (e.getCause() instanceof StoreException refused) {
        say("failed " + refused.getMessage());
        return;
      }
      throw e;
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
