@NullMarked
package dev.vigil.gateway.northbound.kafka;

import org.jspecify.annotations.NullMarked;
