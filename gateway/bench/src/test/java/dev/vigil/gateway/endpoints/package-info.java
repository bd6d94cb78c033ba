@NullMarked
package dev.vigil.gateway.endpoints;

import org.jspecify.annotations.NullMarked;
