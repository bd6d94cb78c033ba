package dev.vigil.border.slip;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds SLIP frames in a stream of octets.
 *
 * <p>States: unsynchronised (before the first END: boot noise, ignored); in a frame; escaped (after
 * ESC); oversized (the frame is longer than allowed and is skipped up to the next END). An END
 * leads from each state to an empty frame; empty frames are legal and are left out. An ESC followed
 * by anything but its two codes spoils the frame, which is skipped and counted.
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
  private long spoiled;

  /**
   * Makes a decoder that waits for the first END.
   *
   * @param maxFrame octets; a longer frame is skipped
   */
  public SlipDecoder(int maxFrame) {
    this.maxFrame = maxFrame;
  }

  /** Takes the first {@code length} octets of a buffer and gives the frames they complete. */
  public List<byte[]> feed(byte[] buffer, int length) {
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      int octet = buffer[i] & 0xff;
      if (octet == Slip.END) {
        end(frames);
      } else {
        inside(octet);
      }
    }
    return frames;
  }

  /** How many frames were too long or wrongly escaped. */
  public long spoiled() {
    return spoiled;
  }

  private void end(List<byte[]> frames) {
    switch (state) {
      case FRAME -> {
        if (frame.size() > 0) {
          frames.add(frame.toByteArray());
        }
      }
      case ESCAPED -> spoiled++;
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
    spoiled++;
    frame.reset();
    state = State.SKIPPING;
  }
}
