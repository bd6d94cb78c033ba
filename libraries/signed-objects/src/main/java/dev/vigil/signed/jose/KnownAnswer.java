package dev.vigil.signed.jose;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** A message, a key and a signature from an RFC; a provider that refuses them does not work. */
record KnownAnswer(Jwk key, byte[] message, byte[] signature) {
  static KnownAnswer of(SignatureAlgorithm algorithm) {
    return switch (algorithm) {
      // RFC 6979 appendix A.2.5, SHA-256
      case ES256 ->
          of(
              algorithm,
              "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
                  + "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299",
              "sample",
              "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
                  + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8");
      // RFC 6979 appendix A.2.6, SHA-384
      case ES384 ->
          of(
              algorithm,
              "EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E06AAE5286B300C64"
                  + "DEF8F0EA9055866064A254515480BC13"
                  + "8015D9B72D7D57244EA8EF9AC0C621896708A59367F9DFB9F54CA84B3F1C9DB1"
                  + "288B231C3AE0D4FE7344FD2533264720",
              "sample",
              "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C"
                  + "81A648152E44ACF96E36DD1E80FABE46"
                  + "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94F"
                  + "A329C145786E679E7B82C71A38628AC8");
      // RFC 8032 section 7.1, test 2
      case EDDSA ->
          of(
              algorithm,
              "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
              "r",
              "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                  + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00");
    };
  }

  private static KnownAnswer of(
      SignatureAlgorithm algorithm, String point, String message, String signature) {
    HexFormat hex = HexFormat.of();
    return new KnownAnswer(
        new Jwk(algorithm, hex.parseHex(point)),
        message.getBytes(StandardCharsets.US_ASCII),
        hex.parseHex(signature));
  }
}
