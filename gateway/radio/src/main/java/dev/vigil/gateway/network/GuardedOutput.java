package dev.vigil.gateway.network;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;

/** Writes as long as the reader has the right to read, which is decided before each write. */
final class GuardedOutput extends FilterOutputStream {
  private final BooleanSupplier allowed;

  /**
   * @param allowed whether the reader may read the next octets
   */
  GuardedOutput(OutputStream out, BooleanSupplier allowed) {
    super(out);
    this.allowed = allowed;
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] octets, int from, int length) throws IOException {
    if (!allowed.getAsBoolean()) {
      throw new IOException("the reader lost its rights");
    }
    out.write(octets, from, length);
  }
}
