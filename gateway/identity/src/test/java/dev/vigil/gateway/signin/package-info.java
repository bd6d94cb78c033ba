@NullMarked
package dev.vigil.gateway.signin;

import org.jspecify.annotations.NullMarked;
