package dev.vigil.border.wire;

import java.util.Locale;

/** Reasons why received octets are dropped. Each malformation is counted under its own reason. */
public enum Drop {
  /** The octets end before the end of a field. */
  TRUNCATED,
  /** Octets follow the last field. */
  TRAILING_OCTETS,
  /** A text is not the expected hexadecimal or other number. */
  BAD_TEXT,

  // IEEE 802.15.4
  FCS_WRONG,
  FRAME_TYPE_UNKNOWN,
  FRAME_VERSION_UNKNOWN,
  FRAME_RESERVED_BITS,
  FRAME_TOO_LONG,
  ADDRESS_MODE_RESERVED,
  INFORMATION_ELEMENTS,

  // Security of 802.15.4
  SECURITY_OF_2003,
  SECURITY_RESERVED_BITS,
  SECURITY_TYPE_UNSUPPORTED,
  SECURITY_SOURCE_UNKNOWN,
  SECURITY_KEY_UNKNOWN,
  SECURITY_LEVEL_REFUSED,
  SECURITY_MISSING,
  MIC_WRONG,
  FRAME_COUNTER_REPLAYED,
  FRAME_COUNTER_EXHAUSTED,

  // 6LoWPAN
  NOT_LOWPAN,
  DISPATCH_UNKNOWN,
  HC1_OBSOLETE,
  IPHC_RESERVED_MODE,
  IPHC_CONTEXT_UNKNOWN,
  NHC_UNKNOWN,
  NHC_TOO_MANY_HEADERS,
  NHC_LENGTH,
  FRAGMENT_SIZE,
  FRAGMENT_OFFSET,
  FRAGMENT_OVERLAP,
  FRAGMENT_SENDER_LIMIT,
  FRAGMENT_TABLE_FULL,
  FRAGMENT_TIMEOUT,

  // IPv6 and above
  IP_VERSION,
  IP_LENGTH,
  EXTENSION_HEADER_TOO_MANY,
  OPTION_LENGTH,
  ROUTING_HEADER,
  UDP_LENGTH,
  UDP_CHECKSUM,
  ICMP_CHECKSUM,

  // IPsec
  ESP_LENGTH,
  ESP_PADDING,
  AH_LENGTH,
  ICV_WRONG,
  SEQUENCE_REPLAYED,
  SEQUENCE_EXHAUSTED,
  SEQUENCE_RECORD_MISSING,
  SA_UNKNOWN,
  POLICY,

  // RPL and SLIP
  RPL_MESSAGE,
  RPL_OPTION,
  SLIP_COMMAND;

  /** The name in metrics and diagnostics: lower case, words joined by underscores. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
