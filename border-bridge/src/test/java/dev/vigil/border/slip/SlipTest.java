package dev.vigil.border.slip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlipTest {
  private static byte[] bytes(int... values) {
    byte[] out = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      out[i] = (byte) values[i];
    }
    return out;
  }

  private static List<byte[]> feed(SlipDecoder decoder, byte[] octets) {
    return decoder.feed(octets, octets.length);
  }

  @Test
  void escapesAsRfc1055Says() {
    assertThat(Slip.encode(bytes(1, 0xC0, 2, 0xDB, 3)))
        .isEqualTo(bytes(0xC0, 1, 0xDB, 0xDC, 2, 0xDB, 0xDD, 3, 0xC0));
  }

  @Test
  void framesSurviveAnyCutOfTheStream() {
    Random random = new Random(1055);
    SlipDecoder decoder = new SlipDecoder(300);
    List<byte[]> sent = new ArrayList<>();
    List<byte[]> got = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      byte[] frame = new byte[1 + random.nextInt(300)];
      for (int k = 0; k < frame.length; k++) {
        frame[k] = (byte) (random.nextInt(3) == 0 ? 0xC0 + random.nextInt(0x20) : random.nextInt());
      }
      sent.add(frame);
      byte[] wire = Slip.encode(frame);
      int cut = random.nextInt(wire.length);
      got.addAll(decoder.feed(wire, cut));
      byte[] tail = java.util.Arrays.copyOfRange(wire, cut, wire.length);
      got.addAll(feed(decoder, tail));
    }
    assertThat(got).containsExactlyElementsOf(sent);
  }

  @Test
  void ignoresBootNoiseAndEmptyFrames() {
    SlipDecoder decoder = new SlipDecoder(10);
    assertThat(feed(decoder, bytes('b', 'o', 'o', 't', 0xC0, 0xC0, 7, 0xC0)))
        .containsExactly(bytes(7));
  }

  @Test
  void skipsMalformedFramesAndTakesTheNext() {
    SlipDecoder decoder = new SlipDecoder(3);
    assertThat(feed(decoder, bytes(0xC0, 1, 2, 3, 4, 5, 0xC0, 6, 0xC0))).containsExactly(bytes(6));
    assertThat(feed(decoder, bytes(1, 0xDB, 1, 2, 0xC0, 8, 0xC0))).containsExactly(bytes(8));
    assertThat(feed(decoder, bytes(1, 0xDB, 0xC0, 9, 0xC0))).containsExactly(bytes(9));
    assertThat(decoder.malformed()).isEqualTo(3);
  }
}
