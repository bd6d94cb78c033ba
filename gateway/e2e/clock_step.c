/* Moves the wall clock of a program that this library is preloaded into, by the number of seconds in the file that
 * CLOCK_STEP_FILE names: a long in the machine's order, which may change while the program runs. Intervals are not
 * moved. libfaketime is not used, because a Java virtual machine of a gateway does not start under it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long *step;

__attribute__((constructor)) static void map_step(void) {
  const char *name = getenv("CLOCK_STEP_FILE");
  int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
  void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *step, PROT_READ, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED)
    abort();
  step = mapped;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  long result = syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && clock == CLOCK_REALTIME && step != NULL)
    now->tv_sec += *step;
  return (int)result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec precise;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &precise);
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}
