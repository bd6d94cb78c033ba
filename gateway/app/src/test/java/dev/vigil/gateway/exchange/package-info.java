@NullMarked
package dev.vigil.gateway.exchange;

import org.jspecify.annotations.NullMarked;
