@NullMarked
package dev.vigil.gateway.identity;

import org.jspecify.annotations.NullMarked;
