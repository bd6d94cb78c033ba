package dev.vigil.gateway.store.sqlite;

import static dev.vigil.store.contract.StoreTesting.fact;
import static dev.vigil.store.contract.StoreTesting.lasting;
import static dev.vigil.store.contract.StoreTesting.mote;
import static dev.vigil.store.contract.StoreTesting.numbered;

import dev.vigil.store.StoreException;
import dev.vigil.store.SubmitResult;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Random;
import java.util.concurrent.CompletionException;

/**
 * A process that tests kill. Each of its threads writes rising sequence numbers to a separate
 * endpoint, whose older values become older facts, and prints the acknowledged numbers: {@code ack
 * mote-3 17}. It exits only when the disk or the folder cannot be written, and then prints {@code
 * failed} and the error message.
 */
final class KilledWriter {
  static final int THREADS = 4;
  private static final int BODY = 2000;

  private KilledWriter() {}

  public static void main(String[] args) throws InterruptedException {
    SqliteStore store;
    try {
      store = SqliteStore.open(Path.of(args[0]), System::nanoTime);
    } catch (StoreException refused) {
      print("failed " + refused.getMessage());
      return;
    }
    print("open");
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

  /** The value with a number; like a signature, it cannot be compressed to much less. */
  static String body(long number) {
    byte[] octets = new byte[BODY];
    new Random(number).nextBytes(octets);
    return number + " " + Base64.getEncoder().encodeToString(octets);
  }

  private static void write(SqliteStore store, String ep) {
    long number = store.endpoint(mote(ep)).map(e -> e.high()).orElse(0L);
    try {
      while (true) {
        number++;
        String body = body(number);
        SubmitResult outcome =
            store
                .submit(
                    numbered(mote(ep), number, lasting("v", 64, body), fact("n", 1, "" + number)))
                .join();
        if (outcome instanceof SubmitResult.Committed) {
          print("ack " + ep + " " + number);
        }
      }
    } catch (CompletionException e) {
      if (e.getCause() instanceof StoreException refused) {
        print("failed " + refused.getMessage());
        return;
      }
      throw e;
    }
  }

  private static synchronized void print(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
