@NullMarked
package dev.vigil.gateway.northbound.email;

import org.jspecify.annotations.NullMarked;
