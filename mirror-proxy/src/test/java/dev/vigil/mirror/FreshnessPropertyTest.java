package dev.vigil.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.mirror.jose.CoseSign1;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.jose.Signer;
import dev.vigil.mirror.senml.Pack;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever arrives in whatever order: H never moves back, nothing older is shown after newer. */
class FreshnessPropertyTest {
  @TempDir Path folder;

  private record Captured(byte[] octets, ContentFormat format, long seq) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void acceptedReplayedLostAndForgedUpdatesInAnyOrderNeverMoveBack(long seed) {
    Random random = new Random(seed);
    World world = new World(folder);
    Signer mote = new Signer();
    String entry = world.registered(mote, "mote-1", 1 + random.nextInt(100_000));
    String id = entry.substring(4);
    long counter = world.mirror.endpoint(id).orElseThrow().high();
    List<Captured> air = new ArrayList<>();
    long high = counter;
    long shown = 0;
    for (int step = 0; step < 250; step++) {
      counter += 1 + (random.nextInt(10) == 0 ? random.nextInt(6000) : random.nextInt(3));
      boolean compact = random.nextBoolean();
      byte[] octets =
          compact
              ? mote.compact(false, "temp", counter, -1, World.SENML)
              : World.update(mote, "temp", counter);
      Captured fresh =
          new Captured(octets, compact ? ContentFormat.SIGNED_UPDATE : ContentFormat.JOSE, counter);
      air.add(fresh);
      Captured sent =
          switch (random.nextInt(4)) {
            case 0 -> air.get(random.nextInt(air.size()));
            case 1 -> forged(random, fresh);
            default -> fresh;
          };
      if (random.nextInt(5) > 0) {
        world.ask(Method.PUT, entry + "/temp", sent.format(), sent.octets());
      }
      if (random.nextInt(25) == 0) {
        world.restart();
      }
      long highNow = world.mirror.endpoint(id).orElseThrow().high();
      assertThat(highNow).isGreaterThanOrEqualTo(high);
      high = highNow;
      byte[] value = world.get(entry + "/temp").payload();
      if (world.get(entry + "/temp").code().isSuccess()) {
        Jws jws = Jws.parse(value);
        assertThat(World.SIGNATURES.verify(mote.jwk(), jws)).isTrue();
        assertThat(jws.header().seq()).isGreaterThanOrEqualTo(shown).isEqualTo(high);
        shown = jws.header().seq();
      }
      if (counter - high > 4096) {
        // As a mote does that was told 4.09: it registers with a number above H.
        counter = Math.max(counter, high) + 1;
        world.register(mote, "mote-1", counter, "");
        high = world.mirror.endpoint(id).orElseThrow().high();
        world.put(entry + "/temp", World.update(mote, "temp", ++counter));
        high = counter;
        shown = counter;
      }
    }
    assertThat(shown).isPositive();
  }

  private static Captured forged(Random random, Captured real) {
    byte[] changed = real.octets().clone();
    int at = random.nextInt(changed.length);
    changed[at] ^= (byte) (1 << random.nextInt(8));
    return new Captured(changed, real.format(), real.seq());
  }

  @Test
  void sixteenBitsStandForTheSmallestNumberAboveH() {
    Random random = new Random(38);
    for (int i = 0; i < 10_000; i++) {
      long high = random.nextLong() & ((1L << random.nextInt(1, 53)) - 1);
      int low = random.nextInt(1 << 16);
      long number = SequenceRule.expand(low, high);
      assertThat(number).isGreaterThan(high);
      assertThat(number & 0xffff).isEqualTo(low);
      assertThat(number - high).isLessThanOrEqualTo(1 << 16);
    }
  }

  @Test
  void noNumberIsAbove2To53Minus1WhateverTheForm() {
    long last = (1L << 53) - 1;
    SequenceRule.judge(last, last - 1, 4096);
    assertThatThrownBy(() -> SequenceRule.judge(last + 1, last, 4096))
        .isInstanceOfSatisfying(
            Rejection.class, e -> assertThat(e.reason()).isEqualTo(Reason.MALFORMED));
    Signer mote = new Signer();
    byte[] senml = Pack.readJson(World.SENML).writeCbor();
    assertThat(CoseSign1.parse(mote.cose("temp", last, senml)).header().seq()).isEqualTo(last);
    assertThatThrownBy(() -> CoseSign1.parse(mote.cose("temp", last + 1, senml)))
        .isInstanceOf(Rejection.class);
  }
}
