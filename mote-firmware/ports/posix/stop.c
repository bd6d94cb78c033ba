#include "stop.h"

#include <stddef.h>

/* A signal handler can reach only static memory. */
static volatile sig_atomic_t requested;

static void handle(int signal_number)
{
    (void)signal_number;
    requested = 1;
}

void stop_catch(sigset_t *unblocked)
{
    struct sigaction action = {.sa_handler = handle};
    sigset_t blocked;

    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, unblocked);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool stop_is_requested(void)
{
    return requested != 0;
}
