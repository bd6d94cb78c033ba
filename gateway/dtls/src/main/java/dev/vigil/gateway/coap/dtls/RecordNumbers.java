package dev.vigil.gateway.coap.dtls;

import java.util.random.RandomGenerator;
import org.eclipse.californium.elements.util.DatagramReader;
import org.eclipse.californium.elements.util.DatagramWriter;
import org.eclipse.californium.elements.util.SerializationUtil;
import org.eclipse.californium.scandium.dtls.DTLSContext;

/**
 * The numbers of the records that the gateway sends (48 bits). They are also the nonces of the
 * ciphers, so a number must not be used twice in a session.
 */
final class RecordNumbers {
  /**
   * The most numbers that a restored session skips. At least 60 restarts fit into a session. Two
   * gateways that continue the same saved session, each for ten thousand records, use a number
   * twice with a probability of one in 400 000.
   */
  static final long MAX_SKIP = 1L << 33;

  /**
   * A session with higher numbers is not restored. A client with Scandium gets no records with
   * numbers from 2^40 on (measured with 3.14), so half of these are left to the session.
   */
  static final long LAST = (1L << 39) - MAX_SKIP;

  private static final int NUMBER_BITS = 48;

  /** Scandium's format of a session's numbers. */
  private static final int VERSION = 1;

  private RecordNumbers() {}

  /**
   * Skips a random number of record numbers.
   *
   * @return whether enough numbers are left
   */
  static boolean skip(DTLSContext context, RandomGenerator random) {
    DatagramWriter written = new DatagramWriter(true);
    context.writeSequenceNumbers(written);
    DatagramReader reader = new DatagramReader(written.toByteArray(), false);
    SerializationUtil.readStartItem(reader, VERSION, Byte.SIZE);
    long next = reader.readLong(NUMBER_BITS);
    if (next > LAST) {
      return false;
    }
    DatagramWriter changed = new DatagramWriter(true);
    int start = SerializationUtil.writeStartItem(changed, VERSION, Byte.SIZE);
    changed.writeLong(next + random.nextLong(MAX_SKIP), NUMBER_BITS);
    changed.writeBytes(reader.readBytesLeft());
    SerializationUtil.writeFinishedItem(changed, start, Byte.SIZE);
    context.readSequenceNumbers(new DatagramReader(changed.toByteArray(), false));
    return true;
  }
}
