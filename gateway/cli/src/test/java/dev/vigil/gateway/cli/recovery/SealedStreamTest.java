package dev.vigil.gateway.cli.recovery;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SealedStreamTest {
  private static final int SEALED = ChunkCipher.CHUNK + ChunkCipher.TAG;

  private final ChunkCipher cipher =
      new ChunkCipher(new SecretKeySpec(new byte[32], "AES"), "header".getBytes(US_ASCII));

  private byte[] seal(byte[] octets) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SealedOutputStream sealed = new SealedOutputStream(out, cipher)) {
      sealed.write(octets);
    }
    return out.toByteArray();
  }

  private byte[] open(byte[] sealed) throws IOException {
    try (SealedInputStream in = new SealedInputStream(new ByteArrayInputStream(sealed), cipher)) {
      return in.readAllBytes();
    }
  }

  private static byte[] octets(int length) {
    byte[] octets = new byte[length];
    new Random(length).nextBytes(octets);
    return octets;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_535, 65_536, 65_537, 131_072, 200_000})
  void streamsOfEachLengthComeBack(int length) throws IOException {
    byte[] sealed = seal(octets(length));
    assertThat(open(sealed)).isEqualTo(octets(length));
    assertThat(sealed).hasSize(length + Math.max(1, (length + 65_535) / 65_536) * ChunkCipher.TAG);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 1_000, SEALED - 1, SEALED, SEALED + 5, 2 * SEALED})
  void aStreamCutAnywhereIsRefused(int length) throws IOException {
    byte[] sealed = seal(octets(200_000));
    assertThatThrownBy(() -> open(Arrays.copyOf(sealed, length)))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("cut short");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 70_000, 200_047})
  void anAlteredOctetIsNoticed(int at) throws IOException {
    byte[] sealed = seal(octets(200_000));
    sealed[at] ^= 1;
    assertThatThrownBy(() -> open(sealed))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("altered");
  }

  @Test
  void chunksInAnotherOrderAreNoticed() throws IOException {
    byte[] sealed = seal(octets(200_000));
    byte[] swapped = sealed.clone();
    System.arraycopy(sealed, 0, swapped, SEALED, SEALED);
    System.arraycopy(sealed, SEALED, swapped, 0, SEALED);
    assertThatThrownBy(() -> open(swapped)).hasMessageContaining("altered");
  }

  @Test
  void octetsBehindTheEndAreNoticed() throws IOException {
    byte[] sealed = seal(octets(100));
    assertThatThrownBy(() -> open(Arrays.copyOf(sealed, sealed.length + 1)))
        .hasMessageContaining("altered");
  }
}
