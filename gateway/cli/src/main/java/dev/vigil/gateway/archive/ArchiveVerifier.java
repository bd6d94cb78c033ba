package dev.vigil.gateway.archive;

import dev.vigil.gateway.archive.ArchivedReading.Fields;
import dev.vigil.mirror.model.ResourcePaths;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.CoseSign1;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.ProtectedHeader;
import dev.vigil.signed.jose.SignatureVerifier;
import dev.vigil.signed.jose.SignedObject;
import dev.vigil.signed.senml.ResolvedRecord;
import dev.vigil.signed.senml.SenmlPack;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Verifies readings: an accepted key signed each reading, the archive's values, number and resource
 * match the signed data, and the numbers rise.
 */
public final class ArchiveVerifier implements ArchiveFileReader.Visitor {
  private static final String SENML_JSON = "application/senml+json";

  private final SignatureVerifier signatures;
  private final Map<String, Jwk> keys;
  private final Predicate<String> accepted;
  private final Map<String, Repeated> faults = new LinkedHashMap<>();
  private final Map<VerifiedSeries.Name, NumberGaps> numbers = new LinkedHashMap<>();
  private final Map<VerifiedSeries.Name, VerifiedSeries> series = new LinkedHashMap<>();
  private int readings;
  private int undated;
  private int recovered;

  /** A fault that may occur on many lines; {@code first} names its first location. */
  private static final class Repeated {
    private final String first;
    private int count;

    private Repeated(String first) {
      this.first = first;
    }
  }

  /**
   * @param signatures checks COSE_Sign1; jose4j checks a JWS
   * @param keys keys by thumbprint; if there are any, the keys in the archive are ignored
   * @param accepted whether the key with a thumbprint is accepted
   */
  public ArchiveVerifier(
      SignatureVerifier signatures, Map<String, Jwk> keys, Predicate<String> accepted) {
    this.signatures = signatures;
    this.keys = keys;
    this.accepted = accepted;
  }

  @Override
  public void malformed(int line, String fault) {
    faults.computeIfAbsent(fault, _ -> new Repeated("line " + line)).count++;
  }

  @Override
  public void reading(int line, ArchivedReading reading) {
    if (reading.form() == ArchivedReading.Form.RECOVERED) {
      recovered++;
      return;
    }
    readings++;
    try {
      verify(reading);
    } catch (SignedObjectException e) {
      addFault(line, reading, e.line());
    } catch (ArchiveException e) {
      addFault(line, reading, e.line());
    }
  }

  private void addFault(int line, ArchivedReading reading, String fault) {
    Fields fields = reading.fields();
    String name =
        fields == null
            ? ""
            : " (%s/%s, number %d)".formatted(fields.ep(), fields.res(), fields.seq());
    faults.computeIfAbsent(fault, _ -> new Repeated("line " + line + name)).count++;
  }

  private void verify(ArchivedReading reading) {
    SignedObject signed =
        switch (reading.form()) {
          case JWS -> Jws.parse(reading.signed());
          case COSE -> CoseSign1.parse(reading.signed());
          case RECOVERED -> throw new IllegalArgumentException("not signed");
        };
    ProtectedHeader header = signed.header();
    String kid = header.kid();
    String res = header.res();
    boolean update = header.typ() == null && header.jwk() == null && header.seq() > 0;
    if (!update || kid == null || res == null) {
      throw new ArchiveException("the signed object is not an update");
    }
    if (!holds(reading, signed, key(reading, kid))) {
      throw new ArchiveException("the signature is invalid");
    }
    List<ResolvedRecord> measured = pack(signed).resolve(0);
    Fields fields = reading.fields();
    if (fields != null) {
      requireSame(fields, header, signed);
      undated += measured.stream().anyMatch(ResolvedRecord::relative) ? 1 : 0;
    }
    VerifiedSeries.Name name =
        fields == null
            ? new VerifiedSeries.Name("", "", res)
            : new VerifiedSeries.Name(fields.ep(), fields.d(), fields.res());
    series.computeIfAbsent(name, VerifiedSeries::new).add(header.seq(), kid);
    if (fields != null) {
      numbers.computeIfAbsent(name.endpoint(), _ -> new NumberGaps()).add(header.seq());
    }
  }

  private Jwk key(ArchivedReading reading, String kid) {
    if (!accepted.test(kid)) {
      throw new ArchiveException("signed by key " + kid + ", which is not one of the given keys");
    }
    Jwk key = keys.isEmpty() ? reading.key() : keys.get(kid);
    if (key == null) {
      throw new ArchiveException("the archive lacks key " + kid + "; give it with --keys");
    }
    if (!key.thumbprint().equals(kid)) {
      throw new ArchiveException(
          "signed by key " + kid + ", but the archive has key " + key.thumbprint());
    }
    return key;
  }

  private boolean holds(ArchivedReading reading, SignedObject signed, Jwk key) {
    return switch (reading.form()) {
      case JWS -> JwsSignature.holds(reading.signed(), key);
      case COSE -> signed.header().algorithm() == key.algorithm() && signatures.verify(key, signed);
      case RECOVERED -> false;
    };
  }

  private static SenmlPack pack(SignedObject signed) {
    return SENML_JSON.equals(signed.header().cty())
        ? SenmlPack.readJson(signed.payload())
        : SenmlPack.readCbor(signed.payload());
  }

  private static void requireSame(Fields fields, ProtectedHeader header, SignedObject signed) {
    // Older gateways accepted other spellings of a path, for instance %74 for t.
    String res = header.res();
    if (res == null || !ResourcePaths.spells(res, fields.res())) {
      throw new ArchiveException("the update was signed for resource " + header.res());
    }
    if (fields.seq() != header.seq()) {
      throw new ArchiveException("the update was signed with number " + header.seq());
    }
    List<ResolvedRecord> measured = pack(signed).resolve(fields.arrived().toEpochMilli() / 1000.0);
    if (measured.size() != fields.measurements().size()) {
      throw new ArchiveException("the update was signed with " + measured.size() + " records");
    }
    for (int i = 0; i < measured.size(); i++) {
      String original = text(measured.get(i));
      String archived = text(fields.measurements().get(i));
      if (!original.equals(archived)) {
        throw new ArchiveException("the archive has " + archived + ", but signed is " + original);
      }
    }
  }

  private static String text(ResolvedRecord record) {
    boolean noUnit = record.unit() == null || record.unit().isEmpty();
    ResolvedRecord plain =
        new ResolvedRecord(
            record.name(),
            noUnit ? null : record.unit(),
            record.value(),
            record.sum(),
            record.time(),
            record.updateTime(),
            false);
    return JsonLines.senml(List.of(plain));
  }

  public int readings() {
    return readings;
  }

  /** The number of readings without a signed time; the gateway's time of arrival replaces it. */
  public int undated() {
    return undated;
  }

  /** The number of readings without an endpoint's signature; they cannot be verified. */
  public int recovered() {
    return recovered;
  }

  /** The number of faults; several rows may share a fault. */
  public int faultCount() {
    return faults.values().stream().mapToInt(one -> one.count).sum()
        + series.values().stream().mapToInt(one -> one.faults().size()).sum();
  }

  /** One line for each kind of fault; faults in the order of sequence numbers come last. */
  public List<String> faults() {
    List<String> all = new ArrayList<>();
    faults.forEach(
        (fault, one) ->
            all.add(
                one.count == 1
                    ? one.first + ": " + fault
                    : one.count + " times, first on " + one.first + ": " + fault));
    series.values().forEach(one -> all.addAll(one.faults()));
    return all.stream().map(ArchiveVerifier::printable).toList();
  }

  /** Replaces control characters, because text from an archive must not control the terminal. */
  public static String printable(String line) {
    return line.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }

  /** One line for each endpoint whose numbers have gaps in the archive. */
  public List<String> gaps() {
    return numbers.entrySet().stream()
        .map(one -> one.getValue().line(one.getKey().toString()))
        .filter(line -> !line.isEmpty())
        .toList();
  }

  public List<VerifiedSeries> series() {
    return List.copyOf(series.values());
  }

  Set<String> signers() {
    Set<String> signers = new TreeSet<>();
    series.values().forEach(one -> signers.addAll(one.signers()));
    return signers;
  }

  /** A number and its noun, for reports. */
  public static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
