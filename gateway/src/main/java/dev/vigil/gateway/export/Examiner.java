package dev.vigil.gateway.export;

import dev.vigil.gateway.export.Reading.Told;
import dev.vigil.mirror.jose.CoseSign1;
import dev.vigil.mirror.jose.Header;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.jose.Signatures;
import dev.vigil.mirror.jose.Signed;
import dev.vigil.mirror.senml.Measurement;
import dev.vigil.mirror.senml.Pack;
import dev.vigil.mirror.wire.Rejection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Judges readings by what their endpoints signed: that a key which counts signed them, that the
 * archive tells the values, number and resource that are signed, and that numbers rise.
 */
final class Examiner implements ArchiveReader.Each {
  private static final String SENML_JSON = "application/senml+json";

  private final Signatures signatures;
  private final Map<String, Jwk> given;
  private final Predicate<String> counts;
  private final List<String> faults = new ArrayList<>();
  private final Map<Series.Name, Series> series = new LinkedHashMap<>();
  private int readings;
  private int undated;

  /**
   * @param given keys from elsewhere, by thumbprint; where there are any, those in the archive are
   *     not heeded
   * @param counts whether a thumbprint is one that the reader relies on
   */
  Examiner(Signatures signatures, Map<String, Jwk> given, Predicate<String> counts) {
    this.signatures = signatures;
    this.given = given;
    this.counts = counts;
  }

  @Override
  public void malformed(int line, String why) {
    faults.add("line " + line + ": " + why);
  }

  @Override
  public void reading(int line, Reading reading) {
    readings++;
    try {
      judge(reading);
    } catch (Rejection e) {
      Told told = reading.told();
      String which =
          told == null ? "" : " (%s/%s, number %d)".formatted(told.ep(), told.res(), told.seq());
      faults.add("line " + line + which + ": " + e.line());
    }
  }

  private void judge(Reading reading) {
    Signed signed =
        switch (reading.form()) {
          case JWS -> Jws.parse(reading.signed());
          case COSE -> CoseSign1.parse(reading.signed());
        };
    Header header = signed.header();
    String kid = header.kid();
    String res = header.res();
    boolean update = header.typ() == null && header.jwk() == null && header.seq() > 0;
    if (!update || kid == null || res == null) {
      throw Rejection.malformed("what is signed is no reading");
    }
    requireSignature(signed, key(reading, kid));
    List<Measurement> measured = pack(signed).resolve(0);
    Told told = reading.told();
    if (told != null) {
      requireSame(told, header, signed);
      undated += measured.stream().anyMatch(Measurement::relative) ? 1 : 0;
    }
    Series.Name name =
        told == null
            ? new Series.Name("", "", res)
            : new Series.Name(told.ep(), told.d(), told.res());
    series.computeIfAbsent(name, Series::new).add(header.seq(), kid);
  }

  private Jwk key(Reading reading, String kid) {
    if (!counts.test(kid)) {
      throw Rejection.malformed("it is signed by key " + kid + ", which is not among those given");
    }
    Jwk key = given.isEmpty() ? reading.key() : given.get(kid);
    if (key == null) {
      throw Rejection.malformed("there is no key " + kid + "; give one with --keys");
    }
    if (!key.thumbprint().equals(kid)) {
      throw Rejection.malformed("the key beside it is " + key.thumbprint() + ", not " + kid);
    }
    return key;
  }

  private void requireSignature(Signed signed, Jwk key) {
    if (signed.header().algorithm() != key.algorithm() || !signatures.verify(key, signed)) {
      throw Rejection.malformed("the signature does not hold");
    }
  }

  private static Pack pack(Signed signed) {
    return SENML_JSON.equals(signed.header().cty())
        ? Pack.readJson(signed.payload())
        : Pack.readCbor(signed.payload());
  }

  private static void requireSame(Told told, Header header, Signed signed) {
    if (!told.res().equals(header.res())) {
      throw Rejection.malformed("it is signed for resource " + header.res());
    }
    if (told.seq() != header.seq()) {
      throw Rejection.malformed("number " + header.seq() + " is signed");
    }
    List<Measurement> measured = pack(signed).resolve(told.arrived().toEpochMilli() / 1000.0);
    if (measured.size() != told.measurements().size()) {
      throw Rejection.malformed(measured.size() + " records are signed");
    }
    for (int i = 0; i < measured.size(); i++) {
      String was = text(measured.get(i));
      String is = text(told.measurements().get(i));
      if (!was.equals(is)) {
        throw Rejection.malformed("the archive tells " + is + ", signed is " + was);
      }
    }
  }

  private static String text(Measurement one) {
    boolean noUnit = one.unit() == null || one.unit().isEmpty();
    Measurement plain =
        new Measurement(
            one.name(),
            noUnit ? null : one.unit(),
            one.value(),
            one.sum(),
            one.time(),
            one.updateTime(),
            false);
    return JsonLines.senml(List.of(plain));
  }

  int readings() {
    return readings;
  }

  /** Readings that told no time of their own: theirs is when they came, as the gateway says. */
  int undated() {
    return undated;
  }

  /** One line each, those about the order of numbers at the end. */
  List<String> faults() {
    List<String> all = new ArrayList<>(faults);
    series.values().forEach(one -> all.addAll(one.faults()));
    return all;
  }

  List<Series> series() {
    return List.copyOf(series.values());
  }

  Set<String> signers() {
    Set<String> signers = new TreeSet<>();
    series.values().forEach(one -> signers.addAll(one.signers()));
    return signers;
  }
}
