@NullMarked
package dev.vigil.gateway.access;

import org.jspecify.annotations.NullMarked;
