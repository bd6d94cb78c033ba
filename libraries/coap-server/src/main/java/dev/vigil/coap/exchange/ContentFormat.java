package dev.vigil.coap.exchange;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The supported content formats, each with its CoAP number and HTTP media type. Numbers from 65000
 * belong to the experimental range (RFC 7252 section 12.3) and are defined only here.
 */
public enum ContentFormat {
  TEXT(0, "text/plain;charset=utf-8"),
  COSE_SIGN1(18, "application/cose; cose-type=\"cose-sign1\""),
  LINK_FORMAT(40, "application/link-format"),
  JSON(50, "application/json"),
  CBOR(60, "application/cbor"),
  MULTIPART(62, "application/multipart-core"),
  SENML_JSON(110, "application/senml+json"),
  SENML_CBOR(112, "application/senml+cbor"),
  /** A JWS or JWE in compact serialization. */
  JOSE(65100, "application/jose"),
  JWK(65101, "application/jwk+json"),
  /** The compact signed update. */
  SIGNED_UPDATE(65102, "application/vnd.vigil.update"),
  /** A JSON array of JWS in compact serialization. */
  JWS_LIST(65103, "application/vnd.vigil.jws-list+json");

  private static final List<ContentFormat> ALL = List.of(values());

  private final int number;
  private final String mediaType;

  ContentFormat(int number, String mediaType) {
    this.number = number;
    this.mediaType = mediaType;
  }

  public int number() {
    return number;
  }

  public String mediaType() {
    return mediaType;
  }

  public static Optional<ContentFormat> ofNumber(int number) {
    for (ContentFormat format : ALL) {
      if (format.number == number) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** Finds the format of a media type; ignores parameters and letter case. */
  public static Optional<ContentFormat> ofMediaType(String mediaType) {
    String type = withoutParameters(mediaType);
    for (ContentFormat format : values()) {
      if (withoutParameters(format.mediaType).equals(type)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  private static String withoutParameters(String mediaType) {
    int end = mediaType.indexOf(';');
    return (end < 0 ? mediaType : mediaType.substring(0, end)).trim().toLowerCase(Locale.ROOT);
  }
}
