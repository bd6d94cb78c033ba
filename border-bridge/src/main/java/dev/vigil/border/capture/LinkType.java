package dev.vigil.border.capture;

/** The link types of captured packets, with their numbers in the tcpdump.org registry. */
public enum LinkType {
  /** An 802.15.4 frame with its FCS. */
  IEEE802154_WITH_FCS(195, "802.15.4 with FCS"),
  /** An 802.15.4 frame without FCS. */
  IEEE802154_WITHOUT_FCS(230, "802.15.4"),
  /** An IPv6 packet. */
  IPV6(229, "IPv6");

  private final int code;
  private final String label;

  LinkType(int code, String label) {
    this.code = code;
    this.label = label;
  }

  /** The registered number. */
  int code() {
    return code;
  }

  /** The name of the interface in the capture. */
  String label() {
    return label;
  }
}
