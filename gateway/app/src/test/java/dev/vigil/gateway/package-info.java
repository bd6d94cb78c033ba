@NullMarked
package dev.vigil.gateway;

import org.jspecify.annotations.NullMarked;
