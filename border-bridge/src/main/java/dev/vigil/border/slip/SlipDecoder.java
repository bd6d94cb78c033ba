package dev.vigil.border.slip;

import dev.vigil.border.wire.WireException;
import dev.vigil.border.wire.WireReader;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds SLIP frames in a stream of octets (RFC 1055).
 *
 * <p>States: unsynchronised (before the first END: boot noise is ignored); frame; escaped (after
 * ESC); skipping (the frame is malformed, its octets are ignored up to the next END). An END leads
 * from each state to an empty frame; empty frames are legal and are ignored. A frame is malformed
 * if it is longer than allowed, or if any octet except the two escape codes follows an ESC.
 */
public final class SlipDecoder {
  private enum State {
    UNSYNCHRONISED,
    FRAME,
    ESCAPED,
    SKIPPING
  }

  private final int maxFrame;
  private final ByteArrayOutputStream frame = new ByteArrayOutputStream();
  private State state = State.UNSYNCHRONISED;
  private long malformed;

  /**
   * Makes an unsynchronised decoder.
   *
   * @param maxFrame octets; a longer frame is malformed
   */
  public SlipDecoder(int maxFrame) {
    this.maxFrame = maxFrame;
  }

  /**
   * Takes the first {@code length} octets of a buffer and returns the frames that they complete.
   */
  public List<byte[]> feed(byte[] buffer, int length) {
    List<byte[]> frames = new ArrayList<>();
    try {
      WireReader in = new WireReader(buffer).region(length);
      while (!in.isEmpty()) {
        int octet = in.u8();
        if (octet == Slip.END) {
          end(frames);
        } else {
          inside(octet);
        }
      }
    } catch (WireException e) {
      throw new IllegalArgumentException("the buffer has fewer octets than " + length, e);
    }
    return frames;
  }

  /** The number of malformed frames. */
  public long malformed() {
    return malformed;
  }

  private void end(List<byte[]> frames) {
    switch (state) {
      case FRAME -> {
        if (frame.size() > 0) {
          frames.add(frame.toByteArray());
        }
      }
      case ESCAPED -> malformed++;
      case UNSYNCHRONISED, SKIPPING -> {}
    }
    frame.reset();
    state = State.FRAME;
  }

  private void inside(int octet) {
    switch (state) {
      case UNSYNCHRONISED, SKIPPING -> {}
      case ESCAPED -> {
        state = State.FRAME;
        if (octet == Slip.ESC_END) {
          append(Slip.END);
        } else if (octet == Slip.ESC_ESC) {
          append(Slip.ESC);
        } else {
          skip();
        }
      }
      case FRAME -> {
        if (octet == Slip.ESC) {
          state = State.ESCAPED;
        } else {
          append(octet);
        }
      }
    }
  }

  private void append(int octet) {
    if (frame.size() >= maxFrame) {
      skip();
    } else {
      frame.write(octet);
    }
  }

  private void skip() {
    malformed++;
    frame.reset();
    state = State.SKIPPING;
  }
}
