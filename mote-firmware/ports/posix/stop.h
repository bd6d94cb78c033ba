/* The end of a program by SIGINT or SIGTERM. */
#ifndef PORT_STOP_H
#define PORT_STOP_H

#include <signal.h>
#include <stdbool.h>

/*
 * Catches and blocks both signals. `unblocked` receives the mask for ppoll, during which alone they
 * arrive, so none is missed between a check and a wait.
 */
void stop_catch(sigset_t *unblocked);

/* True once a signal has arrived. */
bool stop_is_requested(void);

#endif
