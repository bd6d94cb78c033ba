@NullMarked
package dev.vigil.gateway.system;

import org.jspecify.annotations.NullMarked;
