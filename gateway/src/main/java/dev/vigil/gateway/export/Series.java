package dev.vigil.gateway.export;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The verified readings of one resource, whose numbers rise. */
final class Series {
  private static final int MOST_FAULTS = 10;

  private final Name name;
  private final List<String> faults = new ArrayList<>();
  private final Set<String> signers = new LinkedHashSet<>();
  private long first;
  private long last;
  private int count;

  /**
   * @param ep empty where only a JWS is known
   */
  record Name(String ep, String d, String res) {
    @Override
    public String toString() {
      String whose = ep.isEmpty() ? "" : d.isEmpty() ? ep + "/" : ep + " in " + d + "/";
      return whose + res;
    }
  }

  Series(Name name) {
    this.name = name;
  }

  void add(long seq, String signer) {
    if (count > 0 && seq <= last && faults.size() < MOST_FAULTS) {
      faults.add(
          name
              + ": number "
              + seq
              + (seq == last ? " stands twice" : " comes after " + last + ": rows were reordered"));
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

  /** One line for people. */
  String summary() {
    String which = count == 1 ? "number " + first : "numbers " + first + " to " + last;
    return "%s: %s, %s, signed by %s"
        .formatted(
            name, VerifyCommand.count(count, "reading"), which, String.join(", then ", signers));
  }
}
