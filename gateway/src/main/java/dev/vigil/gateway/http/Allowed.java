package dev.vigil.gateway.http;

import java.util.List;

/** Which methods a path of the site knows, for {@code Allow} (RFC 9110 section 10.2.1). */
final class Allowed {
  private static final String READ = "GET, HEAD, OPTIONS";
  private static final String REGISTER = "POST, OPTIONS";

  private Allowed() {}

  /**
   * @param path of a request, as it was sent
   */
  static String at(String path) {
    List<String> segments = List.of(path.substring(1).split("/", -1));
    return switch (segments.getFirst()) {
      case "rd" -> segments.size() == 1 ? REGISTER : "GET, HEAD, POST, DELETE, OPTIONS";
      case ".well-known" -> segments.getLast().equals("rd") ? REGISTER : READ;
      case "rd-lookup", "keys" -> READ;
      default -> "GET, HEAD, POST, PUT, DELETE, OPTIONS";
    };
  }
}
