package dev.vigil.border.ieee802154;

import static dev.vigil.border.WireAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Vectors;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameTest {
  @Test
  void everyRecordedFrameParsesAndEncodesToTheSameOctets() throws WireException {
    List<Vectors.RecordedFrame> all = Vectors.all();
    for (Vectors.RecordedFrame recorded : all) {
      Frame frame = Frame.parse(recorded.psdu());
      assertThat(frame.encode()).as(recorded.toString()).isEqualTo(recorded.psdu());
      assertThat(frame.header()).hasSize(frame.headerLength());
    }
    assertThat(all).hasSizeGreaterThan(1500);
  }

  @Test
  void everyRecordedFcsIsRightAndAnyChangedBitDetected() throws WireException {
    int seen = 0;
    for (Vectors.RecordedFrame recorded : Vectors.all()) {
      byte[] octets = recorded.withFcs();
      if (octets == null) {
        continue;
      }
      assertThat(Fcs.strip(octets)).isEqualTo(recorded.psdu());
      assertThat(Fcs.append(recorded.psdu())).isEqualTo(octets);
      byte[] changed = octets.clone();
      changed[seen % changed.length] ^= (byte) (1 << seen % 8);
      refuses(Drop.FCS_WRONG, () -> Fcs.strip(changed));
      seen++;
    }
    assertThat(seen).isGreaterThan(1000);
  }

  @Test
  void readsTheFieldsOfADataFrame() throws WireException {
    Frame frame = Frame.parse(Hex.parse("61dc3bcdab010001000100010002000200020002007a333a"));
    assertThat(frame.control().type()).isEqualTo(FrameType.DATA);
    assertThat(frame.control().version()).isEqualTo(FrameVersion.V2006);
    assertThat(frame.control().ackRequest()).isTrue();
    assertThat(frame.sequence()).isEqualTo(0x3b);
    assertThat(frame.pan()).isEqualTo(0xabcd);
    assertThat(frame.destination()).isEqualTo(LinkAddress.of(Eui64.parse("0001000100010001")));
    assertThat(frame.source()).isEqualTo(LinkAddress.of(Eui64.parse("00-02-00-02-00-02-00-02")));
  }

  @Test
  void builtAcknowledgementsEqualThoseOfRadios() {
    assertThat(Fcs.append(Frame.acknowledgement(0x3b).encode()))
        .isEqualTo(new byte[] {0x02, 0x00, 0x3b, (byte) 0xe8, 0x3a});
  }

  @ParameterizedTest
  @CsvSource({
    // 802.15.4-2015, table 7-2: destination, source, compression, octets of PAN ids
    "0, 0, 0, 0", "0, 0, 1, 2", "2, 0, 0, 2", "3, 0, 1, 0", "0, 2, 0, 2", "0, 3, 1, 0",
    "3, 3, 0, 2", "3, 3, 1, 0", "2, 2, 0, 4", "2, 3, 0, 4", "3, 2, 0, 4", "2, 3, 1, 2",
    "3, 2, 1, 2", "2, 2, 1, 2"
  })
  void framesOf2015CarryThePanIdsOfTheStandardsTable(int to, int from, int compressed, int octets)
      throws WireException {
    int field = 1 | 2 << 12 | to << 10 | from << 14 | compressed << 6;
    int length = 3 + octets + length(to) + length(from);
    byte[] psdu = new byte[length + 4];
    new Random(field).nextBytes(psdu);
    psdu[0] = (byte) field;
    psdu[1] = (byte) (field >> 8);
    Frame frame = Frame.parse(psdu);
    assertThat(frame.headerLength()).isEqualTo(length);
    assertThat(frame.payload()).hasSize(4);
    assertThat(frame.encode()).isEqualTo(psdu);
  }

  @Test
  void a2015FrameMayHaveNoSequenceNumber() throws WireException {
    byte[] psdu = Hex.parse("4129cdabffff7a33");
    Frame frame = Frame.parse(psdu);
    assertThat(frame.sequence()).isEqualTo(Frame.NO_SEQUENCE);
    assertThat(frame.encode()).isEqualTo(psdu);
  }

  @ParameterizedTest
  @CsvSource({
    "41, TRUNCATED",
    "41d83acdab, TRUNCATED",
    "44d83acdab, FRAME_TYPE_UNKNOWN",
    "41f83acdab, FRAME_VERSION_UNKNOWN",
    "c1d83acdab, FRAME_RESERVED_BITS",
    "41da3acdab, FRAME_RESERVED_BITS",
    "41ea3acdab, INFORMATION_ELEMENTS",
    "41d43acdab, ADDRESS_MODE_RESERVED",
    "49c83acdabffff0a000000004b12020500000000, SECURITY_OF_2003",
    "49d83acdabffff02000200020002002500000000, SECURITY_RESERVED_BITS",
  })
  void namesEachMalformation(String hex, Drop reason) throws WireException {
    byte[] psdu = Hex.parse(hex);
    refuses(reason, () -> Frame.parse(psdu));
  }

  @Test
  void refusesAFrameLongerThanTheRadioCanSend() {
    refuses(Drop.FRAME_TOO_LONG, () -> Frame.parse(new byte[126]));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void randomHeadersSurviveEncodingAndParsing(long seed) throws WireException {
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      byte[] psdu = new byte[random.nextInt(60)];
      random.nextBytes(psdu);
      if (psdu.length > 1) {
        psdu[0] &= 0x7b;
        psdu[1] &= (byte) 0xec;
      }
      try {
        assertThat(Frame.parse(psdu).encode()).isEqualTo(psdu);
      } catch (WireException e) {
        assertThat(e.reason()).isNotNull();
      }
    }
  }

  private static int length(int mode) {
    return mode == 2 ? 2 : mode == 3 ? 8 : 0;
  }
}
