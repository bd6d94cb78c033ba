package dev.vigil.gateway.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class CoapLoadTest {
  /** 2.01 with a token of two octets, an ETag and the Location-Path rd/3f. */
  @Test
  void theLocationIsTheLastSegmentOfItsPath() {
    ByteBuffer answer = ByteBuffer.allocate(40).put(new byte[] {0x62, 0x41, 0, 1, 0, 1});
    answer.put(new byte[] {0x42, 1, 2, 0x42}).put("rd".getBytes(US_ASCII));
    answer.put((byte) 0x02).put("3f".getBytes(US_ASCII)).put(new byte[] {(byte) 0xff, 'x'});
    assertThat(CoapLoad.location(answer.flip())).isEqualTo("3f");
  }

  @Test
  void anAnswerWithoutLocationHasAnEmptyOne() {
    ByteBuffer answer = ByteBuffer.allocate(40).put(new byte[] {0x62, 0x44, 0, 1, 0, 1});
    assertThat(CoapLoad.location(answer.flip())).isEmpty();
  }
}
