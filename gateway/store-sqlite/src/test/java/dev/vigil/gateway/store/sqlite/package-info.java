@NullMarked
package dev.vigil.gateway.store.sqlite;

import org.jspecify.annotations.NullMarked;
