@NullMarked
package dev.vigil.gateway.accounts;

import org.jspecify.annotations.NullMarked;
