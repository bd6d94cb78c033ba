/*
 * CSMA whose radio is off while a leaf sleeps. What RPL sends meanwhile (it probes its parent and
 * renews its route) turns it on for LINGER, for the answer.
 *
 * Awake: the application says so, or it has not joined yet; the radio is on. Lingering: for LINGER
 * after it fell asleep, or after the first thing that was sent asleep; on. What is sent meanwhile
 * does not prolong it: else whoever asks for echoes could keep the radio on. Asleep: off.
 */
#include "port-sleepy.h"

#include "contiki.h"
#include "net/mac/csma/csma.h"
#include "sys/ctimer.h"

/* RPL waits 5 s for the answer to a route's renewal, then asks again. */
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
    /* A router is there for others too. */
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
