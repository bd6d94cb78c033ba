@NullMarked
package dev.vigil.gateway.northbound.template;

import org.jspecify.annotations.NullMarked;
