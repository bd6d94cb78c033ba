package dev.vigil.coap.udp;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;

/** The system calls for {@link SendSocket}, on 64-bit Linux. A negative result is a failure. */
final class UdpSyscalls {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final MethodHandle DUP = call("dup", FunctionDescriptor.of(INT, INT));
  private static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(INT, INT));
  private static final MethodHandle GETSOCKNAME =
      call(
          "getsockname", FunctionDescriptor.of(INT, INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
  private static final MethodHandle GETSOCKOPT =
      call(
          "getsockopt",
          FunctionDescriptor.of(INT, INT, INT, INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
  private static final MethodHandle SENDMMSG =
      call("sendmmsg", FunctionDescriptor.of(INT, INT, ValueLayout.ADDRESS, INT, INT));

  private UdpSyscalls() {}

  /** Whether the layouts of this package are those of the system. */
  static boolean isSupported() {
    return System.getProperty("os.name").equals("Linux")
        && ValueLayout.ADDRESS.byteSize() == Long.BYTES
        && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
  }

  // This class exists to make native calls; ArchitectureTest forbids them elsewhere.
  @SuppressWarnings("restricted")
  private static MethodHandle call(String name, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor);
  }

  static int dup(int descriptor) {
    try {
      return (int) DUP.invokeExact(descriptor);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int close(int descriptor) {
    try {
      return (int) CLOSE.invokeExact(descriptor);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int getsockname(int descriptor, MemorySegment address, MemorySegment length) {
    try {
      return (int) GETSOCKNAME.invokeExact(descriptor, address, length);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int getsockopt(
      int descriptor, int level, int option, MemorySegment value, MemorySegment length) {
    try {
      return (int) GETSOCKOPT.invokeExact(descriptor, level, option, value, length);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** The number of messages sent, at least one, or a failure of the first one. */
  static int sendmmsg(int descriptor, MemorySegment messages, int count) {
    try {
      return (int) SENDMMSG.invokeExact(descriptor, messages, count, 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** A method handle declares Throwable, but these calls throw no checked exception. */
  private static IllegalStateException unexpected(Throwable thrown) {
    return switch (thrown) {
      case RuntimeException runtime -> throw runtime;
      case Error error -> throw error;
      case Throwable other -> new IllegalStateException(other);
    };
  }
}
