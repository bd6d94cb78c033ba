package dev.vigil.signed.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.bouncycastle.math.ec.ECPoint;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The native library and the provider judge the same signatures, in the style of Wycheproof: each
 * case is one lane beside seven valid ones, at every place.
 */
class P256AgreementTest {
  private static final BigInteger ONE = BigInteger.ONE;
  private static final BigInteger N = Lane.N;
  private static final BigInteger MAX = ONE.shiftLeft(256).subtract(ONE);
  private static final int SIGNATURES = 4_000;
  private static final int ALL_SIGNATURES = 10_000_000;

  private final Random random = new Random(33);
  private P256Library library;

  @BeforeEach
  void load() {
    try {
      library = P256Library.load();
    } catch (P256Library.UnavailableException e) {
      Assumptions.abort("no batch verifier here: " + e.getMessage());
    }
  }

  private BigInteger number() {
    return new BigInteger(255, random).add(ONE);
  }

  private Lane valid() {
    return Lane.signed(new BigInteger(256, random), number(), number());
  }

  private void requireAgreement(String name, Lane lane) throws GeneralSecurityException {
    boolean expected = lane.isValidForProvider();
    assertThat(library.verify(lane.octets())).as(name).isEqualTo(expected ? 1 : 0);
    for (int place = 0; place < P256Library.LANES; place++) {
      Lane[] lanes = Lane.eight(valid());
      lanes[place] = lane;
      assertThat(library.verify(Lane.octets(lanes)))
          .as("%s in lane %d", name, place)
          .isEqualTo(expected ? 0xff : 0xff ^ 1 << place);
    }
  }

  @Test
  void agreesOnNumbersAtTheEdgesOfTheirRange() throws Exception {
    Lane lane = valid();
    List<BigInteger> edges = new ArrayList<>();
    for (BigInteger edge : List.of(BigInteger.ZERO, ONE.shiftLeft(255), N, Lane.P, MAX)) {
      for (int near = -2; near <= 2; near++) {
        BigInteger number = edge.add(BigInteger.valueOf(near));
        if (number.signum() >= 0 && number.compareTo(MAX) <= 0) {
          edges.add(number);
        }
      }
    }
    edges.add(N.shiftRight(1));
    for (BigInteger r : edges) {
      requireAgreement("r = " + r, lane.withR(r));
      requireAgreement("s = " + r, lane.withS(r));
      requireAgreement("digest = " + r, lane.withDigest(r));
      if (r.mod(N).signum() != 0) {
        requireAgreement("signed digest = " + r, Lane.signed(r, number(), number()));
      }
      for (BigInteger s : edges) {
        assertThat(library.verify(lane.withR(r).withS(s).octets()) == 1)
            .as("r = %s, s = %s", r, s)
            .isEqualTo(lane.withR(r).withS(s).isValidForProvider());
      }
    }
  }

  @Test
  void agreesOnOtherFormsOfAValidSignature() throws Exception {
    Lane lane = valid();
    Map<String, Lane> cases = new LinkedHashMap<>();
    cases.put("valid", lane);
    cases.put("n - s", lane.withS(N.subtract(lane.s())));
    cases.put("n - r", lane.withR(N.subtract(lane.r())));
    cases.put("r and s exchanged", lane.withR(lane.s()).withS(lane.r()));
    cases.put("inverse of s", lane.withS(lane.s().modInverse(N)));
    cases.put("negated key", lane.withKey(lane.x(), Lane.P.subtract(lane.y())));
    // The only numbers to which the order can be added within 256 bits are below 2^256 - n.
    Lane smallR = Lane.ofLargeX(number(), number());
    cases.put("x of R above the order", smallR);
    cases.put("r + n", smallR.withR(smallR.r().add(N)));
    Lane smallS = ofSmallS(BigInteger.valueOf(5));
    cases.put("small s", smallS);
    cases.put("s + n", smallS.withS(smallS.s().add(N)));
    for (Map.Entry<String, Lane> one : cases.entrySet()) {
      requireAgreement(one.getKey(), one.getValue());
    }
    assertThat(smallR.isValidForProvider()).isTrue();
    assertThat(smallS.isValidForProvider()).isTrue();
  }

  /** A valid signature with this s: the digest is chosen last. */
  private Lane ofSmallS(BigInteger s) {
    BigInteger d = number();
    BigInteger k = number();
    BigInteger r = Lane.xOf(k).mod(N);
    return Lane.signed(k.multiply(s).subtract(r.multiply(d)).mod(N), d, k);
  }

  @Test
  void agreesWhereTheSumOfTwoPointsIsSpecial() throws Exception {
    BigInteger d = number();
    BigInteger k = number();
    BigInteger r = Lane.xOf(k).mod(N);
    BigInteger product = r.multiply(d).mod(N);
    requireAgreement("u1 G = u2 Q", Lane.signed(product, d, k));
    requireAgreement("u1 G = -u2 Q", Lane.signed(ONE, d, k).withDigest(N.subtract(product)));
    requireAgreement("u2 = 1", Lane.signed(r.multiply(k.subtract(d)).mod(N), d, k));
    BigInteger s = product.multiply(k.subtract(ONE).modInverse(N)).mod(N);
    requireAgreement("u1 = 1", Lane.signed(s, d, k));
    for (int small = 1; small <= 33; small++) {
      BigInteger nonce = BigInteger.valueOf(small);
      requireAgreement("k = " + small, Lane.signed(number(), d, nonce));
      requireAgreement("k = n - " + small, Lane.signed(number(), d, N.subtract(nonce)));
      requireAgreement("d = " + small, Lane.signed(number(), nonce, k));
      requireAgreement("d = n - " + small, Lane.signed(number(), N.subtract(nonce), k));
      requireAgreement("k = d = " + small, Lane.signed(number(), nonce, nonce));
    }
  }

  @Test
  void agreesOnKeysWithSpecialCoordinates() throws Exception {
    int found = 0;
    for (BigInteger base : List.of(BigInteger.ZERO, ONE.shiftLeft(52), ONE.shiftLeft(208), N)) {
      for (int above = 1; above < 6; above++) {
        ECPoint key = Lane.withX(base.add(BigInteger.valueOf(above)));
        if (key != null) {
          Lane lane = Lane.validFor(key, number(), number());
          assertThat(lane.isValidForProvider()).isTrue();
          requireAgreement("x = " + lane.x(), lane);
          requireAgreement("x = " + lane.x() + ", invalid", lane.withDigest(number()));
          found++;
        }
      }
    }
    assertThat(found).isGreaterThan(8);
  }

  /**
   * A known difference: the library rejects a digest that is a multiple of the order, and no
   * message with such a digest can be found. The provider repeats each rejection.
   */
  @Test
  void rejectsADigestThatIsAMultipleOfTheOrder() throws Exception {
    for (BigInteger digest : List.of(BigInteger.ZERO, N)) {
      Lane lane = Lane.signed(digest, number(), number());
      assertThat(lane.isValidForProvider()).isTrue();
      Lane[] lanes = Lane.eight(valid());
      lanes[3] = lane;
      assertThat(library.verify(Lane.octets(lanes))).isEqualTo(0xff ^ 1 << 3);
    }
  }

  /** The other known difference; nobody knows the secret key of this point. */
  @Test
  void rejectsSignaturesOfTheKeyWhoseXIsZero() throws Exception {
    ECPoint key = Objects.requireNonNull(Lane.withX(BigInteger.ZERO));
    Lane lane = Lane.validFor(key, number(), number());
    assertThat(lane.isValidForProvider()).isTrue();
    Lane[] lanes = Lane.eight(valid());
    lanes[3] = lane;
    assertThat(library.verify(Lane.octets(lanes))).isEqualTo(0xff ^ 1 << 3);
  }

  /** The provider has no such keys, and a {@code Jwk} cannot hold them. */
  @Test
  void rejectsKeysOffTheCurveWithoutEffectOnOtherLanes() {
    Lane lane = valid();
    for (Lane bad :
        List.of(
            lane.withKey(BigInteger.ZERO, BigInteger.ZERO),
            lane.withKey(lane.x(), lane.y().xor(ONE)),
            lane.withKey(lane.y(), lane.x()),
            lane.withKey(Lane.P, lane.y()),
            lane.withKey(MAX, MAX))) {
      for (int place = 0; place < P256Library.LANES; place++) {
        Lane[] lanes = Lane.eight(lane);
        lanes[place] = bad;
        assertThat(library.verify(Lane.octets(lanes))).isEqualTo(0xff ^ 1 << place);
      }
    }
  }

  @Test
  void refusesAnotherNumberOfOctetsThanOneToEightLanes() {
    for (int length : new int[] {0, 159, 161, 9 * P256Library.LANE_OCTETS}) {
      assertThatIllegalArgumentException().isThrownBy(() -> library.verify(new byte[length]));
    }
  }

  @Test
  void agreesOnRandomAndMutatedSignatures() {
    int wanted = "1".equals(System.getenv("VIGIL_TEST_ALL")) ? ALL_SIGNATURES : SIGNATURES;
    int threads = Runtime.getRuntime().availableProcessors();
    long valid =
        IntStream.range(0, threads)
            .parallel()
            .mapToLong(thread -> agree(new Random(thread), wanted / threads))
            .sum();
    assertThat(valid).isBetween(wanted / 8L, wanted / 2L);
  }

  /**
   * Judges signatures of one key after the other. A key signs in eight batches, each time in
   * another lane, and the other lanes have mutations of that signature.
   *
   * @return the number of valid signatures
   */
  private long agree(Random seeded, int wanted) {
    long valid = 0;
    for (int done = 0; done < wanted; done += P256Library.LANES * P256Library.LANES) {
      Lane good =
          Lane.signed(
              new BigInteger(256, seeded),
              new BigInteger(255, seeded).add(ONE),
              new BigInteger(255, seeded).add(ONE));
      try {
        PublicKey key = good.publicKey();
        for (int place = 0; place < P256Library.LANES; place++) {
          valid += agree(good, place, key, seeded);
        }
      } catch (GeneralSecurityException e) {
        throw new AssertionError(e);
      }
    }
    return valid;
  }

  private long agree(Lane good, int place, PublicKey key, Random seeded)
      throws GeneralSecurityException {
    Lane[] lanes = new Lane[P256Library.LANES];
    Arrays.setAll(lanes, i -> i == place ? good : mutated(good, seeded));
    int judged = library.verify(Lane.octets(lanes));
    long valid = 0;
    for (int i = 0; i < lanes.length; i++) {
      boolean expected = lanes[i].isValidForProvider(key);
      if (expected != ((judged & 1 << i) != 0)) {
        throw new AssertionError("the provider says %s: %s".formatted(expected, lanes[i]));
      }
      valid += expected ? 1 : 0;
    }
    return valid;
  }

  private static Lane mutated(Lane lane, Random seeded) {
    BigInteger bit = ONE.shiftLeft(seeded.nextInt(256));
    return switch (seeded.nextInt(6)) {
      case 0 -> lane.withR(lane.r().xor(bit));
      case 1 -> lane.withS(lane.s().xor(bit));
      case 2 -> lane.withDigest(lane.digest().xor(bit));
      case 3 -> lane.withS(N.subtract(lane.s()));
      case 4 -> lane.withR(new BigInteger(256, seeded)).withS(new BigInteger(256, seeded));
      default -> lane;
    };
  }
}
