@NullMarked
package dev.vigil.gateway.domains;

import org.jspecify.annotations.NullMarked;
