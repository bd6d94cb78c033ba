@NullMarked
package dev.vigil.gateway.northbound.mqtt;

import org.jspecify.annotations.NullMarked;
