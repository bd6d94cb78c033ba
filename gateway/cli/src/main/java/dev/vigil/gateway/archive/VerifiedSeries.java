package dev.vigil.gateway.archive;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The verified readings of one resource; checks that their numbers rise. */
public final class VerifiedSeries {
  private static final int MAX_FAULTS = 10;

  private final Name name;
  private final List<String> faults = new ArrayList<>();
  private final Set<String> signers = new LinkedHashSet<>();
  private long first;
  private long last;
  private int count;

  /**
   * @param ep empty when the archive has only a JWS
   */
  record Name(String ep, String d, String res) {
    /** The name without the resource. */
    Name endpoint() {
      return new Name(ep, d, "");
    }

    @Override
    public String toString() {
      String endpoint = d.isEmpty() ? ep : ep + " in " + d;
      return ep.isEmpty() || res.isEmpty() ? endpoint + res : endpoint + "/" + res;
    }
  }

  VerifiedSeries(Name name) {
    this.name = name;
  }

  void add(long seq, String signer) {
    if (count > 0 && seq <= last && faults.size() < MAX_FAULTS) {
      faults.add(
          name
              + ": number "
              + seq
              + (seq == last ? " occurs twice" : " follows " + last + ": rows were reordered"));
    }
    first = count == 0 ? seq : first;
    last = seq;
    count++;
    signers.add(signer);
  }

  List<String> faults() {
    return faults;
  }

  Set<String> signers() {
    return signers;
  }

  /** One line for the report. */
  public String summary() {
    String numbers = count == 1 ? "number " + first : "numbers " + first + " to " + last;
    return "%s: %s, %s, signed by %s"
        .formatted(
            name,
            ArchiveVerifier.count(count, "reading"),
            numbers,
            String.join(", then ", signers));
  }
}
