/* An actuator that every board has: its first LED. */
#include <stdio.h>
#include <string.h>

#include "contiki-port.h"
#include "dev/leds.h"
#include "mote/senml.h"

static int set(void *context, const char *cty, const uint8_t *payload, size_t len)
{
    struct decimal value;
    int error = strcmp(cty, "application/senml+json") == 0 ? senml_value_read(payload, len, &value)
                                                           : MOTE_E_UNSUPPORTED;

    (void)context;
    if (error != MOTE_OK)
        return error;
    if (value.digits != 0)
        leds_on(LEDS_NUM_TO_MASK(LEDS_LED1));
    else
        leds_off(LEDS_NUM_TO_MASK(LEDS_LED1));
    printf("led = %d\n", value.digits != 0);
    return MOTE_OK;
}

const struct actuator port_led = {"led", "led", set, NULL};
