package dev.vigil.border.ipv6;

import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.List;

/** The text form of addresses: parsed per RFC 4291, section 2.2, formatted per RFC 5952. */
final class Ipv6Text {
  private static final int GROUPS = 8;
  private static final int LONGEST = 39;

  private Ipv6Text() {}

  static Ipv6Address parse(String text) throws WireException {
    int gap = text.indexOf("::");
    if (text.length() > LONGEST || gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
      throw bad(text);
    }
    List<Integer> before = groups(gap < 0 ? text : text.substring(0, gap), text);
    List<Integer> after = gap < 0 ? List.of() : groups(text.substring(gap + 2), text);
    int missing = GROUPS - before.size() - after.size();
    if (gap < 0 ? missing != 0 : missing < 1) {
      throw bad(text);
    }
    List<Integer> all = new ArrayList<>(before);
    for (int i = 0; i < missing; i++) {
      all.add(0);
    }
    all.addAll(after);
    return new Ipv6Address(number(all.subList(0, 4)), number(all.subList(4, GROUPS)));
  }

  static String format(Ipv6Address address) {
    int[] groups = new int[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      long half = i < 4 ? address.high() : address.low();
      groups[i] = (int) (half >>> 48 - 16 * (i % 4)) & 0xffff;
    }
    int start = -1;
    int length = 1;
    for (int i = 0; i < GROUPS; i++) {
      int run = 0;
      while (i + run < GROUPS && groups[i + run] == 0) {
        run++;
      }
      if (run > length) {
        start = i;
        length = run;
      }
    }
    return start < 0
        ? join(groups, 0, GROUPS)
        : join(groups, 0, start) + "::" + join(groups, start + length, GROUPS);
  }

  private static String join(int[] groups, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(i == from ? "" : ":").append(Integer.toHexString(groups[i]));
    }
    return text.toString();
  }

  private static List<Integer> groups(String part, String whole) throws WireException {
    List<Integer> groups = new ArrayList<>();
    if (part.isEmpty()) {
      return groups;
    }
    for (String group : part.split(":", -1)) {
      if (!group.matches("[0-9a-fA-F]{1,4}")) {
        throw bad(whole);
      }
      groups.add(Integer.parseInt(group, 16));
    }
    return groups;
  }

  private static long number(List<Integer> groups) {
    long value = 0;
    for (int group : groups) {
      value = value << 16 | group;
    }
    return value;
  }

  private static WireException bad(String text) {
    return new WireException(Drop.BAD_TEXT, "not an IPv6 address: " + text);
  }
}
