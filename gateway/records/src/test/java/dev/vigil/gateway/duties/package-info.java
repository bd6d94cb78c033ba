@NullMarked
package dev.vigil.gateway.duties;

import org.jspecify.annotations.NullMarked;
