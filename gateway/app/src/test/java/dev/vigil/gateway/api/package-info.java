@NullMarked
package dev.vigil.gateway.api;

import org.jspecify.annotations.NullMarked;
