package dev.vigil.gateway.cli.keylabels;

import dev.vigil.gateway.cli.CliException;
import dev.vigil.gateway.cli.GatewayClient;
import dev.vigil.gateway.keylists.KeyListException;
import dev.vigil.gateway.keylists.KeyLists;
import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.mirror.trust.JwkCodec;
import dev.vigil.signed.SignedObjectException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Where the keys on labels come from: a thumbprint, a file, a list, a running gateway. */
final class LabelSource {
  /** The members of a public key; private members are not read. */
  private static final List<String> PUBLIC = List.of("kty", "crv", "x", "y");

  private LabelSource() {}

  /**
   * @param key a thumbprint, or a file with a public or private JWK
   */
  static KeyLabel ofKey(String key, @Nullable String ep, @Nullable String d) throws CliException {
    Path file = path(key);
    if (file == null || !Files.isRegularFile(file)) {
      return KeyLabel.of(key, ep, d);
    }
    JsonNode members;
    try {
      members = GatewayClient.parsed(Files.readString(file));
    } catch (IOException | CliException e) {
      throw new CliException(file + " is not a JWK");
    }
    Map<String, String> read = new HashMap<>();
    PUBLIC.stream()
        .filter(name -> members.path(name).isString())
        .forEach(name -> read.put(name, members.path(name).asString()));
    try {
      return new KeyLabel(JwkCodec.read(read).thumbprint(), ep, d);
    } catch (SignedObjectException e) {
      throw new CliException(file + ": " + e.line());
    }
  }

  private static @Nullable Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** The keys of a JWK set or a CSV table, as the gateway imports them. */
  static List<KeyLabel> ofList(Path file, @Nullable String d) throws CliException {
    byte[] list;
    try {
      list = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new CliException("cannot read " + file);
    }
    boolean json = new String(list, StandardCharsets.UTF_8).stripLeading().startsWith("{");
    try {
      List<ListedKey> keys = json ? KeyLists.jwkSet(list) : KeyLists.csv(list, d == null ? "" : d);
      return keys.stream().map(key -> new KeyLabel(key.jkt(), key.ep(), d)).toList();
    } catch (KeyListException e) {
      throw new CliException(file + ": " + e.getMessage());
    }
  }

  /** The keys that a gateway trusts. */
  static List<KeyLabel> ofGateway(GatewayClient client, @Nullable String d)
      throws CliException, InterruptedException {
    String domain = d == null ? "" : "&d=" + GatewayClient.encoded(d.isEmpty() ? "-" : d);
    List<KeyLabel> labels = new ArrayList<>();
    String after = "";
    do {
      JsonNode page = client.get("/api/keys?state=trusted&limit=1000" + domain + after);
      for (JsonNode key : page.path("keys")) {
        labels.add(
            new KeyLabel(
                key.path("thumbprint").asString(),
                key.path("ep").asString(""),
                key.path("d").asString("")));
      }
      JsonNode next = page.path("next");
      after = next.isString() ? "&after=" + GatewayClient.encoded(next.asString()) : "";
    } while (!after.isEmpty());
    return labels;
  }
}
