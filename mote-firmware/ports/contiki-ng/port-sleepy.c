/*
 * CSMA with a radio that is off while a leaf sleeps. If RPL sends a frame then (a probe of the
 * parent, a renewal of the route), the radio is on for LINGER to receive the answer.
 *
 * States: Awake (the application is awake, or the node has not joined): radio on. Lingering, for
 * LINGER after the application fell asleep or after the first frame sent while asleep: radio on.
 * Further frames do not prolong this state, because echo requests could otherwise keep the radio
 * on. Asleep: radio off.
 */
#include "port-sleepy.h"

#include "contiki.h"
#include "net/mac/csma/csma.h"
#include "sys/ctimer.h"

/* RPL waits 5 s for a DAO-ACK before it repeats the DAO. */
#define LINGER (2 * CLOCK_SECOND)

static struct {
    bool asleep;
    bool lingering;
    struct ctimer timer;
} sleepy;

static void fall_asleep(void *context)
{
    (void)context;
    sleepy.lingering = false;
    if (sleepy.asleep)
        csma_driver.off();
}

static void linger(void)
{
    sleepy.lingering = true;
    ctimer_set(&sleepy.timer, LINGER, fall_asleep, NULL);
}

void port_awake(bool awake)
{
    /* A router forwards for others, so it stays on. */
    if (!MOTE_CONF_LEAF || awake == !sleepy.asleep)
        return;
    sleepy.asleep = !awake;
    if (awake)
        csma_driver.on();
    else
        linger();
}

static void init(void)
{
    csma_driver.init();
}

static void send(mac_callback_t sent, void *context)
{
    if (sleepy.asleep && !sleepy.lingering) {
        csma_driver.on();
        linger();
    }
    csma_driver.send(sent, context);
}

static void input(void)
{
    csma_driver.input();
}

static int on(void)
{
    return csma_driver.on();
}

static int off(void)
{
    return csma_driver.off();
}

static int max_payload(void)
{
    return csma_driver.max_payload();
}

const struct mac_driver mote_sleepy_mac_driver = {"sleepy CSMA", init,       send, input, on,
                                                  off,           max_payload};
