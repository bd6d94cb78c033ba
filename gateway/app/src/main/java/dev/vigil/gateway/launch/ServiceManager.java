package dev.vigil.gateway.launch;

import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reports to systemd, which started the process, that the gateway is ready or stops (sd_notify(3)).
 * Does nothing without a service manager. Java has no datagram sockets of AF_UNIX.
 */
final class ServiceManager {
  static final String READY = "READY=1";
  static final String STOPPING = "STOPPING=1";

  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_CLOEXEC = 0x80000;

  private static final FunctionDescriptor SOCKET =
      FunctionDescriptor.of(
          ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
  private static final FunctionDescriptor SENDTO =
      FunctionDescriptor.of(
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_INT,
          ValueLayout.ADDRESS,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_INT,
          ValueLayout.ADDRESS,
          ValueLayout.JAVA_INT);
  private static final FunctionDescriptor CLOSE =
      FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);

  /** Octets of {@code sun_path} (unix(7)). */
  private static final int MAX_PATH = 108;

  private final @Nullable String socket;
  private final PrintStream err;

  /**
   * @param socket the variable NOTIFY_SOCKET: a path, or an abstract name after {@code @}; null if
   *     no service manager waits
   */
  ServiceManager(@Nullable String socket, PrintStream err) {
    this.socket = socket;
    this.err = err;
  }

  void report(String state) {
    if (socket != null && !isSent(socket, state)) {
      err.printf("vigil: %s cannot be sent to NOTIFY_SOCKET, %s%n", state, socket);
    }
  }

  private static boolean isSent(String socket, String state) {
    byte[] path = socket.getBytes(StandardCharsets.UTF_8);
    if (path.length == 0 || path.length >= MAX_PATH) {
      return false;
    }
    if (path[0] == '@') {
      path[0] = 0;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = arena.allocate(Short.BYTES + path.length);
      address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
      MemorySegment.copy(path, 0, address, ValueLayout.JAVA_BYTE, Short.BYTES, path.length);
      byte[] octets = state.getBytes(StandardCharsets.US_ASCII);
      MemorySegment message = arena.allocateFrom(ValueLayout.JAVA_BYTE, octets);

      int file = (int) call("socket", SOCKET).invokeExact(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
      long sent =
          (long)
              call("sendto", SENDTO)
                  .invokeExact(
                      file, message, (long) octets.length, 0, address, (int) address.byteSize());
      int closed = (int) call("close", CLOSE).invokeExact(file);
      return sent == octets.length && closed == 0;
    } catch (Throwable e) {
      // invokeExact declares Throwable; findOrThrow fails on a system without the call.
      return false;
    }
  }

  // Native calls are this class's purpose.
  @SuppressWarnings("restricted")
  private static MethodHandle call(String name, FunctionDescriptor signature) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature);
  }
}
