@NullMarked
package dev.vigil.gateway.coap;

import org.jspecify.annotations.NullMarked;
