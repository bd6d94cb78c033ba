/* The checks of a configuration. */
#ifndef MOTE_CORE_APP_CONFIG_H
#define MOTE_CORE_APP_CONFIG_H

#include <stdbool.h>

#include "mote/app.h"

/* True if every name, path, type and unit may appear in a link, a query and a SenML record. */
bool app_config_valid(const struct app_config *config);

#endif
