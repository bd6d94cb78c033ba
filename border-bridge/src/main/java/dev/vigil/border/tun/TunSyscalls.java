package dev.vigil.border.tun;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** The system calls for a TUN device, on 64-bit Linux. */
final class TunSyscalls {
  static final int O_RDWR = 2;
  static final int POLLIN = 1;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final int EINTR = 4;

  private static final MethodHandle OPEN =
      call(
          "open",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle IOCTL =
      call(
          "ioctl",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle READ =
      call(
          "read",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG));
  private static final MethodHandle WRITE =
      call(
          "write",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG));
  private static final MethodHandle POLL =
      call(
          "poll",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT));
  private static final MethodHandle SOCKET =
      call(
          "socket",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT));
  private static final MethodHandle CLOSE =
      call("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private TunSyscalls() {}

  // This class exists to make native calls; ArchitectureTest forbids them elsewhere.
  @SuppressWarnings("restricted")
  private static MethodHandle call(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker.Option[] all = new Linker.Option[options.length + 1];
    System.arraycopy(options, 0, all, 0, options.length);
    all[options.length] = Linker.Option.captureCallState("errno");
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, all);
  }

  static int open(String path, int flags) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int fd = (int) OPEN.invokeExact(state, arena.allocateFrom(path), flags);
      return (int) check("open " + path, fd, state);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static int socket(int family, int type) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      return (int) check("socket", (int) SOCKET.invokeExact(state, family, type, 0), state);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static void ioctl(String what, int fd, long request, MemorySegment argument) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      check(what, (int) IOCTL.invokeExact(state, fd, request, argument), state);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** The number of octets read; 0 if no packet came in time. */
  static int read(int fd, MemorySegment buffer, int timeoutMillis) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment wanted = arena.allocate(8, 4);
      wanted.set(ValueLayout.JAVA_INT, 0, fd);
      wanted.set(ValueLayout.JAVA_SHORT, 4, (short) POLLIN);
      int ready = (int) POLL.invokeExact(state, wanted, 1L, timeoutMillis);
      if (ready < 0 && (int) ERRNO.get(state, 0L) == EINTR) {
        return 0;
      }
      if (check("poll", ready, state) == 0) {
        return 0;
      }
      long count = (long) READ.invokeExact(state, fd, buffer, buffer.byteSize());
      return (int) check("read", count, state);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /** Sleeps; for kernel state that changes without an event. */
  static void pause(int millis) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int ignored = (int) POLL.invokeExact(state, MemorySegment.NULL, 0L, millis);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static void write(int fd, MemorySegment octets) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      check("write", (long) WRITE.invokeExact(state, fd, octets, octets.byteSize()), state);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static void close(int fd) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      check("close", (int) CLOSE.invokeExact(state, fd), state);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  private static long check(String what, long result, MemorySegment state) throws IOException {
    if (result < 0) {
      throw new IOException(what + ": errno " + (int) ERRNO.get(state, 0L));
    }
    return result;
  }

  /** A method handle declares Throwable, but these calls throw only the types below. */
  private static IOException failure(Throwable thrown) {
    return switch (thrown) {
      case IOException io -> io;
      case RuntimeException runtime -> throw runtime;
      case Error error -> throw error;
      case Throwable other -> new IOException(other);
    };
  }
}
