package dev.vigil.gateway.clock;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Asks 64-bit Linux by adjtimex(2) whether NTP synchronises the clock; this needs no rights. */
final class KernelClock {
  private static final int TIME_ERROR = 5;

  /** Room for a {@code struct timex}, which has 208 octets. */
  private static final StructLayout TIMEX =
      MemoryLayout.structLayout(MemoryLayout.sequenceLayout(32, ValueLayout.JAVA_LONG));

  private KernelClock() {}

  /** The state of the clock; unknown where the system or a sandbox does not report it. */
  // A native call is this class's purpose.
  @SuppressWarnings("restricted")
  static Synchronisation read() {
    try (Arena arena = Arena.ofConfined()) {
      Linker linker = Linker.nativeLinker();
      MethodHandle adjtimex =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("adjtimex"),
              FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
      MemorySegment nothingToSet = arena.allocate(TIMEX);
      int state = (int) adjtimex.invokeExact(nothingToSet);
      return state < 0
          ? Synchronisation.UNKNOWN
          : state == TIME_ERROR ? Synchronisation.LOST : Synchronisation.KEPT;
    } catch (Throwable e) {
      // invokeExact declares Throwable; findOrThrow fails on a system without the call.
      return Synchronisation.UNKNOWN;
    }
  }
}
