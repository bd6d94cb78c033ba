package dev.vigil.border.wire;

import static dev.vigil.border.WireAssertions.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class WireTest {
  private static final byte[] EIGHT = {1, 2, 3, 4, 5, 6, 7, (byte) 0xf8};

  @Test
  void readsNumbersInBothOrders() throws WireException {
    assertThat(new WireReader(EIGHT).u16()).isEqualTo(0x0102);
    assertThat(new WireReader(EIGHT).u16LE()).isEqualTo(0x0201);
    assertThat(new WireReader(EIGHT).u24()).isEqualTo(0x010203);
    assertThat(new WireReader(EIGHT).u32()).isEqualTo(0x01020304);
    assertThat(new WireReader(EIGHT).u32LE()).isEqualTo(0x04030201);
    assertThat(new WireReader(EIGHT).u64()).isEqualTo(0x01020304050607f8L);
    assertThat(new WireReader(EIGHT).u64LE()).isEqualTo(0xf807060504030201L);
    WireReader high = new WireReader(new byte[] {-1, -1, -1, -1});
    assertThat(high.u32()).isEqualTo(0xffffffffL);
  }

  @Test
  void writtenNumbersAreReadAgain() throws WireException {
    WireWriter out = new WireWriter(0);
    out.u8(0xfe).u16(0x1234).u16LE(0x1234).u24(0x56789a).u32(0xdeadbeefL).u32LE(0xdeadbeefL);
    out.u64(Long.MIN_VALUE + 5).u64LE(-2).bytes(EIGHT).zeros(3);
    out.patchU8(0, 0xfd);
    out.patchU16(1, 0xabcd);
    assertThat(out.size()).isEqualTo(43);
    WireReader in = new WireReader(out.toBytes());
    assertThat(in.peek()).isEqualTo(0xfd);
    assertThat(in.u8()).isEqualTo(0xfd);
    assertThat(in.u16()).isEqualTo(0xabcd);
    assertThat(in.u16LE()).isEqualTo(0x1234);
    assertThat(in.u24()).isEqualTo(0x56789a);
    assertThat(in.u32()).isEqualTo(0xdeadbeefL);
    assertThat(in.u32LE()).isEqualTo(0xdeadbeefL);
    assertThat(in.u64()).isEqualTo(Long.MIN_VALUE + 5);
    assertThat(in.u64LE()).isEqualTo(-2);
    assertThat(in.bytes(8)).isEqualTo(EIGHT);
    assertThat(in.position()).isEqualTo(40);
    in.skip(3);
    in.end();
  }

  @Test
  void neverReadsPastItsRegion() throws WireException {
    WireReader in = new WireReader(EIGHT);
    WireReader region = in.region(3);
    assertThat(in.remaining()).isEqualTo(5);
    region.skip(2);
    refuses(Drop.TRUNCATED, region::u16);
    assertThat(region.u8()).isEqualTo(3);
    assertThat(region.isEmpty()).isTrue();
    refuses(Drop.TRUNCATED, region::peek);
    refuses(Drop.TRUNCATED, () -> in.bytes(6));
    refuses(Drop.TRUNCATED, () -> in.bytes(-1));
    refuses(Drop.TRUNCATED, () -> in.skip(Integer.MAX_VALUE));
    refuses(Drop.TRUNCATED, in::u64);
    refuses(Drop.TRAILING_OCTETS, in::end);
    assertThat(in.fork().rest()).hasSize(5);
    assertThat(in.remaining()).isEqualTo(5);
  }

  @Test
  void aPatchOutsideTheWrittenOctetsIsRefused() {
    WireWriter out = new WireWriter(16).u8(1);
    assertThatIllegalArgumentException().isThrownBy(() -> out.patchU16(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> out.patchU8(-1, 1));
  }

  @Test
  void hexIsReadStrictly() throws WireException {
    assertThat(Hex.parse("0aFF")).isEqualTo(new byte[] {10, -1});
    assertThat(Hex.format(new byte[] {10, -1})).isEqualTo("0aff");
    refuses(Drop.BAD_TEXT, () -> Hex.parse("abc"));
    refuses(Drop.BAD_TEXT, () -> Hex.parse("zz"));
  }

  @Test
  void reassemblyDistinguishesRepetitionFromOverlap() {
    ReassemblyBuffer assembly = new ReassemblyBuffer(8);
    assertThat(assembly.place(5, new byte[] {6, 7, 8})).isEqualTo(ReassemblyBuffer.Placement.NEW);
    assertThat(assembly.place(0, new byte[] {1, 2})).isEqualTo(ReassemblyBuffer.Placement.NEW);
    assertThat(assembly.place(5, new byte[] {6, 7, 8}))
        .isEqualTo(ReassemblyBuffer.Placement.DUPLICATE);
    assertThat(assembly.place(6, new byte[] {7})).isEqualTo(ReassemblyBuffer.Placement.DUPLICATE);
    assertThat(assembly.place(6, new byte[] {9})).isEqualTo(ReassemblyBuffer.Placement.OVERLAP);
    assertThat(assembly.place(1, new byte[] {2, 3})).isEqualTo(ReassemblyBuffer.Placement.OVERLAP);
    assertThat(assembly.place(4, new byte[] {5, 6})).isEqualTo(ReassemblyBuffer.Placement.OVERLAP);
    assertThat(assembly.place(7, new byte[] {8, 9})).isEqualTo(ReassemblyBuffer.Placement.OUTSIDE);
    assertThat(assembly.place(-1, new byte[] {8})).isEqualTo(ReassemblyBuffer.Placement.OUTSIDE);
    assertThat(assembly.isComplete()).isFalse();
    assertThatIllegalStateException().isThrownBy(assembly::toBytes);
    assertThat(assembly.place(2, new byte[] {3, 4, 5})).isEqualTo(ReassemblyBuffer.Placement.NEW);
    assertThat(assembly.toBytes()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
  }
}
