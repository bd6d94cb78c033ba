@NullMarked
package dev.vigil.gateway.store.jetstream.contact;

import org.jspecify.annotations.NullMarked;
