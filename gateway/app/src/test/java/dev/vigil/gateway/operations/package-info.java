@NullMarked
package dev.vigil.gateway.operations;

import org.jspecify.annotations.NullMarked;
