package dev.vigil.gateway.cli.recovery;

import java.io.IOException;
import java.io.OutputStream;

/** Encrypts a stream with one chunk in memory. {@link #close} writes the last chunk. */
final class SealedOutputStream extends OutputStream {
  private final OutputStream out;
  private final ChunkCipher cipher;
  private final byte[] chunk = new byte[ChunkCipher.CHUNK];
  private int length;
  private long number;
  private boolean closed;

  SealedOutputStream(OutputStream out, ChunkCipher cipher) {
    this.out = out;
    this.cipher = cipher;
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] octets, int offset, int count) throws IOException {
    int from = offset;
    int left = count;
    while (left > 0) {
      if (length == chunk.length) {
        // More data follows, so this is not the last chunk.
        out.write(cipher.seal(chunk, length, number++, false));
        length = 0;
      }
      int taken = Math.min(left, chunk.length - length);
      System.arraycopy(octets, from, chunk, length, taken);
      length += taken;
      from += taken;
      left -= taken;
    }
  }

  /** Writes the last chunk. The underlying stream stays open. */
  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      out.write(cipher.seal(chunk, length, number, true));
      out.flush();
    }
  }
}
