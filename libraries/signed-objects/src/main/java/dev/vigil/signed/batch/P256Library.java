package dev.vigil.signed.batch;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The native library of {@code native/p256.c}: eight lanes of ECDSA on P-256. */
final class P256Library {
  /** Number of signatures that one call verifies at most. */
  static final int LANES = 8;

  /** Octets of a digest, of r and s, and of a coordinate. */
  static final int NUMBER = 32;

  /** Digest, r, s, x and y, big-endian. */
  static final int LANE_OCTETS = 5 * NUMBER;

  /** The folder for unpacking, if not the system's folder of temporary files. */
  private static final String FOLDER = "dev.vigil.signed.tmpdir";

  private static final String FILE = "libvigil-p256.so";

  /** The lane of RFC 6979 appendix A.2.5, SHA-256, message "sample". */
  private static final byte[] KNOWN =
      HexFormat.of()
          .parseHex(
              "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf"
                  + "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                  + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
                  + "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                  + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299");

  private final MethodHandle verify;

  private P256Library(MethodHandle verify) {
    this.verify = verify;
  }

  /** The library cannot be used; the message says why. */
  static final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnavailableException(String reason) {
      super(reason);
    }
  }

  static P256Library load() throws UnavailableException {
    Path installed = installed();
    try {
      if (installed != null) {
        return link(installed);
      }
      return unpackAndLink();
    } catch (IOException | IllegalArgumentException e) {
      // libraryLookup throws IllegalArgumentException, for instance where the folder is noexec.
      throw new UnavailableException("the native library cannot be loaded: " + e.getMessage());
    }
  }

  /** The library in the folders of {@code java.library.path}; null if none has it. */
  private static @Nullable Path installed() {
    for (String folder : System.getProperty("java.library.path", "").split(File.pathSeparator)) {
      Path file = Path.of(folder, FILE);
      if (!folder.isEmpty() && Files.isReadable(file)) {
        return file;
      }
    }
    return null;
  }

  /** The file is deleted once it is mapped. */
  private static P256Library unpackAndLink() throws UnavailableException, IOException {
    String platform =
        "%s-%s".formatted(System.getProperty("os.name"), System.getProperty("os.arch"));
    if (!platform.equals("Linux-amd64")) {
      throw new UnavailableException(
          "there is no native library for " + platform.toLowerCase(Locale.ROOT));
    }
    try (InputStream octets = P256Library.class.getResourceAsStream("linux-x86_64/" + FILE)) {
      if (octets == null) {
        throw new UnavailableException("this build has no native library for it");
      }
      Path folder = Path.of(System.getProperty(FOLDER, System.getProperty("java.io.tmpdir")));
      Path file = Files.createTempFile(folder, "libvigil-p256", ".so");
      try {
        Files.copy(octets, file, StandardCopyOption.REPLACE_EXISTING);
        return link(file);
      } finally {
        Files.delete(file);
      }
    }
  }

  // This class exists to make native calls; ArchitectureTest forbids them elsewhere.
  @SuppressWarnings("restricted")
  private static P256Library link(Path file) throws UnavailableException {
    Linker linker = Linker.nativeLinker();
    SymbolLookup library = SymbolLookup.libraryLookup(file, Arena.global());
    MethodHandle supported =
        linker.downcallHandle(
            library.findOrThrow("vigil_p256_supported"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT));
    if (call(() -> (int) supported.invokeExact()) == 0) {
      throw new UnavailableException("the processor has no AVX-512 IFMA");
    }
    P256Library linked =
        new P256Library(
            linker.downcallHandle(
                library.findOrThrow("vigil_p256_verify"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT)));
    linked.requireKnownAnswers();
    return linked;
  }

  /** A valid signature beside the same one with a changed digest. */
  private void requireKnownAnswers() throws UnavailableException {
    byte[] lanes = Arrays.copyOf(KNOWN, 3 * LANE_OCTETS);
    System.arraycopy(KNOWN, 0, lanes, LANE_OCTETS, LANE_OCTETS);
    System.arraycopy(KNOWN, 0, lanes, 2 * LANE_OCTETS, LANE_OCTETS);
    lanes[LANE_OCTETS] ^= 1;
    if (verify(lanes) != 0b101) {
      throw new UnavailableException("the native library fails its self-test");
    }
  }

  /**
   * Verifies the signatures of the lanes. The provider disagrees about two kinds of lanes, which
   * this rejects: a digest that is a multiple of the curve's order, and a key whose x is 0. Nobody
   * can make a message with such a digest, or a signature with such a key.
   *
   * @param lanes one to eight lanes, one after the other
   * @return bit i is set if the signature of lane i is valid
   */
  int verify(byte[] lanes) {
    int count = lanes.length / LANE_OCTETS;
    if (count < 1 || count > LANES || lanes.length != count * LANE_OCTETS) {
      throw new IllegalArgumentException(lanes.length + " octets are not one to eight lanes");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate((long) LANES * LANE_OCTETS, Long.BYTES);
      MemorySegment.copy(lanes, 0, memory, ValueLayout.JAVA_BYTE, 0, lanes.length);
      return call(() -> (int) verify.invokeExact(memory, count));
    }
  }

  private interface NativeCall {
    // MethodHandle.invokeExact declares it.
    int run() throws Throwable;
  }

  private static int call(NativeCall call) {
    try {
      return call.run();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
