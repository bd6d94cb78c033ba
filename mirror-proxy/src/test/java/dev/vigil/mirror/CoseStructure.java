package dev.vigil.mirror;

import dev.vigil.signed.jose.Jwk;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import tools.jackson.dataformat.cbor.CBORMapper;

/**
 * The Sig_structure of COSE_Sign1 (RFC 9052 section 4.4), built and verified without product code.
 */
final class CoseStructure {
  private CoseStructure() {}

  static byte[] of(byte[] header, byte[] externalAad, byte[] payload) {
    CBORMapper cbor = new CBORMapper();
    return cbor.writeValueAsBytes(
        cbor.createArrayNode().add("Signature1").add(header).add(externalAad).add(payload));
  }

  static boolean verify(Jwk key, byte[] structure, byte[] signature) throws Exception {
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec("secp256r1"));
    ECPoint point = new ECPoint(new BigInteger(1, key.x()), new BigInteger(1, key.y()));
    Signature verifier = Signature.getInstance("SHA256withECDSAinP1363Format");
    verifier.initVerify(
        KeyFactory.getInstance("EC")
            .generatePublic(
                new ECPublicKeySpec(point, parameters.getParameterSpec(ECParameterSpec.class))));
    verifier.update(structure);
    return verifier.verify(signature);
  }
}
