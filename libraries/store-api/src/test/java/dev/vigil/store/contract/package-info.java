@NullMarked
package dev.vigil.store.contract;

import org.jspecify.annotations.NullMarked;
