package dev.vigil.gateway.exchange;

import java.util.List;

/** The methods of a path, for the {@code Allow} header (RFC 9110 section 10.2.1). */
final class AllowedMethods {
  private static final String READ = "GET, HEAD, OPTIONS";
  private static final String REGISTER = "POST, OPTIONS";

  private AllowedMethods() {}

  /**
   * @param path path of a request, not decoded
   */
  static String at(String path) {
    List<String> segments = List.of(path.substring(1).split("/", -1));
    return switch (segments.getFirst()) {
      case "rd" -> segments.size() == 1 ? REGISTER : "GET, HEAD, POST, DELETE, OPTIONS";
      case ".well-known" -> segments.getLast().equals("rd") ? REGISTER : READ;
      case "rd-lookup", "keys" -> READ;
      default ->
          switch (segments.size()) {
            case 1 -> REGISTER;
            case 2 -> READ;
            default -> "GET, HEAD, PUT, OPTIONS";
          };
    };
  }
}
