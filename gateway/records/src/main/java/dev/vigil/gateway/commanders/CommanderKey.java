package dev.vigil.gateway.commanders;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.gateway.files.OwnerOnlyFile;
import dev.vigil.gateway.files.PrivateFiles;
import dev.vigil.mirror.command.CommandService;
import dev.vigil.mirror.trust.JwkCodec;
import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.jose.Jwk;
import dev.vigil.signed.jose.LocalKeyPair;
import dev.vigil.signed.senml.SenmlPack;
import dev.vigil.signed.senml.SenmlRecord;
import dev.vigil.signed.senml.SenmlValue;
import dev.vigil.store.EndpointName;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECPrivateKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The key of a commander: a private P-256 JWK (RFC 7517) in a separate file. */
public final class CommanderKey {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String SECRET = "d";
  private static final int MAX_OCTETS = 16 << 10;

  private final LocalKeyPair pair;

  private CommanderKey(LocalKeyPair pair) {
    this.pair = pair;
  }

  /**
   * Creates a key in a file that only its owner may read.
   *
   * @throws CommandException when the file already exists
   */
  public static CommanderKey create(Path file, SecureRandom random)
      throws IOException, CommandException {
    if (Files.exists(file)) {
      throw new CommandException(
          file + " already exists: name another file, or use the key in this file");
    }
    LocalKeyPair pair = LocalKeyPair.generate(random);
    ObjectNode jwk = (ObjectNode) JSON.readTree(JwkCodec.write(pair.jwk()));
    BigInteger secret = ((ECPrivateKey) pair.keyPair().getPrivate()).getS();
    jwk.put(SECRET, base64(secret));
    Files.createFile(file, PrivateFiles.NEW_FILE);
    Files.writeString(file, jwk + "\n");
    return new CommanderKey(pair);
  }

  private static String base64(BigInteger secret) {
    byte[] octets = new byte[32];
    byte[] signed = secret.toByteArray();
    int length = Math.min(signed.length, octets.length);
    System.arraycopy(signed, signed.length - length, octets, octets.length - length, length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }

  /**
   * Reads the key that a setting names.
   *
   * @param property the name of the setting without {@code vigil.}
   * @throws IOException with a message that begins with "cannot" and names the setting
   */
  public static CommanderKey ofSetting(String property, String file) throws IOException {
    Path path = Path.of(file);
    try {
      OwnerOnlyFile.require(path);
      return read(path);
    } catch (FileSystemException e) {
      throw new IOException(
          "cannot read the key in %s, which vigil.%s names: does the file exist, and may user %s read it?"
              .formatted(path, property, System.getProperty("user.name")),
          e);
    } catch (CommandException e) {
      throw new IOException(
          "cannot use the key that vigil.%s names: %s".formatted(property, e.getMessage()), e);
    }
  }

  /**
   * @throws CommandException when the file does not contain a private P-256 JWK
   */
  public static CommanderKey read(Path file) throws IOException, CommandException {
    if (Files.size(file) > MAX_OCTETS) {
      throw none(file);
    }
    try {
      JsonNode jwk = JSON.readTree(Files.readAllBytes(file));
      Jwk known =
          JwkCodec.read(
              Map.of(
                  "kty",
                  text(jwk, "kty"),
                  "crv",
                  text(jwk, "crv"),
                  "x",
                  text(jwk, "x"),
                  "y",
                  text(jwk, "y")));
      BigInteger secret = new BigInteger(1, Base64.getUrlDecoder().decode(text(jwk, SECRET)));
      return new CommanderKey(LocalKeyPair.restore(secret(known, secret), known));
    } catch (JacksonException
        | IllegalArgumentException
        | SignedObjectException
        | GeneralSecurityException e) {
      // The exception has no cause, because the cause could quote parts of the key.
      throw none(file);
    }
  }

  private static PrivateKey secret(Jwk known, BigInteger secret) throws GeneralSecurityException {
    if (!(known.publicKey() instanceof ECPublicKey key)) {
      throw new GeneralSecurityException("another curve");
    }
    return KeyFactory.getInstance("EC")
        .generatePrivate(new ECPrivateKeySpec(secret, key.getParams()));
  }

  private static String text(JsonNode jwk, String member) {
    JsonNode value = jwk.path(member);
    if (!value.isString()) {
      throw new IllegalArgumentException(member);
    }
    return value.asString();
  }

  private static CommandException none(Path file) {
    return new CommandException(
        file + " does not contain a private P-256 JWK; create a key in a new file with --new-key");
  }

  /** The public JWK, for the setting {@code commanders} of a domain. */
  public String jwk() {
    return JwkCodec.write(pair.jwk());
  }

  public String thumbprint() {
    return JwkCodec.thumbprint(pair.jwk());
  }

  /** A JWS in compact serialization. */
  public String sign(ObjectNode header, byte[] payload) {
    header.put("alg", "ES256").put("kid", thumbprint());
    String input =
        base64(header.toString().getBytes(StandardCharsets.UTF_8)) + "." + base64(payload);
    return input + "." + base64(pair.sign(input.getBytes(StandardCharsets.US_ASCII)));
  }

  /**
   * A signed command that gives a resource a value.
   *
   * @param path of the resource, percent-encoded
   * @param number of the command; greater than the number of any former command of the endpoint
   * @param expires unix time in seconds
   */
  public String command(
      EndpointName endpoint, String path, long number, long expires, SenmlValue value) {
    ObjectNode header =
        JSON.createObjectNode()
            .put("typ", CommandService.TYPE)
            .put("cty", ContentFormat.SENML_JSON.mediaType())
            .put("ep", endpoint.ep())
            .put("res", path)
            .put("seq", number)
            .put("exp", expires);
    if (!endpoint.d().isEmpty()) {
      header.put("d", endpoint.d());
    }
    SenmlRecord wanted =
        new SenmlRecord(null, null, null, null, null, null, path, null, value, null, null, null);
    return sign(header, new SenmlPack(List.of(wanted)).writeJson());
  }

  private static String base64(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }
}
