@NullMarked
package dev.vigil.gateway.passkeys;

import org.jspecify.annotations.NullMarked;
