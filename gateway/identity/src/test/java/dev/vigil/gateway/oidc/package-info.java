@NullMarked
package dev.vigil.gateway.oidc;

import org.jspecify.annotations.NullMarked;
