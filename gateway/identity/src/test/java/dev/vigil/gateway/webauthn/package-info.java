@NullMarked
package dev.vigil.gateway.webauthn;

import org.jspecify.annotations.NullMarked;
