package dev.vigil.gateway.cli.recovery;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;

/**
 * Decrypts the output of {@link SealedOutputStream} with one chunk in memory. It returns octets
 * only from authenticated chunks, and the end only after the last chunk.
 */
final class SealedInputStream extends InputStream {
  private final PushbackInputStream in;
  private final ChunkCipher cipher;
  private final byte[] sealed = new byte[ChunkCipher.CHUNK + ChunkCipher.TAG];
  private byte[] chunk = new byte[0];
  private int next;
  private long number;
  private boolean ended;

  SealedInputStream(InputStream in, ChunkCipher cipher) {
    this.in = new PushbackInputStream(in, 1);
    this.cipher = cipher;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    while (next == chunk.length) {
      if (ended) {
        return -1;
      }
      readChunk();
    }
    int taken = Math.min(count, chunk.length - next);
    System.arraycopy(chunk, next, target, offset, taken);
    next += taken;
    return taken;
  }

  private void readChunk() throws IOException {
    int length = in.readNBytes(sealed, 0, sealed.length);
    int more = in.read();
    boolean last = more < 0;
    if (!last) {
      in.unread(more);
    }
    byte[] opened = length < ChunkCipher.TAG ? null : cipher.open(sealed, length, number, last);
    if (opened == null) {
      boolean cutShort =
          last && (length < ChunkCipher.TAG || cipher.open(sealed, length, number, false) != null);
      throw new BackupException(
          cutShort
              ? "it is cut short: its end is missing"
              : "it was altered, damaged or cut short after it was made");
    }
    chunk = opened;
    next = 0;
    number++;
    ended = last;
  }
}
