@NullMarked
package dev.vigil.gateway.northbound.webhook;

import org.jspecify.annotations.NullMarked;
