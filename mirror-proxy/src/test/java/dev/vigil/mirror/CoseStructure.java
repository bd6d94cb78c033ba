package dev.vigil.mirror;

import dev.vigil.mirror.jose.Jwk;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import tools.jackson.dataformat.cbor.CBORMapper;

/** What COSE_Sign1 signs (RFC 9052 section 4.4), built and checked without any code of ours. */
final class CoseStructure {
  private CoseStructure() {}

  static byte[] of(byte[] header, byte[] external, byte[] payload) {
    CBORMapper cbor = new CBORMapper();
    return cbor.writeValueAsBytes(
        cbor.createArrayNode().add("Signature1").add(header).add(external).add(payload));
  }

  static boolean holds(Jwk key, byte[] structure, byte[] signature) throws Exception {
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec("secp256r1"));
    ECPoint point = new ECPoint(new BigInteger(1, key.x()), new BigInteger(1, key.y()));
    Signature check = Signature.getInstance("SHA256withECDSAinP1363Format");
    check.initVerify(
        KeyFactory.getInstance("EC")
            .generatePublic(
                new ECPublicKeySpec(point, parameters.getParameterSpec(ECParameterSpec.class))));
    check.update(structure);
    return check.verify(signature);
  }
}
