/**
 * The stored readings of the resources that conditions read, and what an automation would have done
 * with them. Reading blocks on the store.
 */
@NullMarked
package dev.vigil.gateway.automations.history;

import org.jspecify.annotations.NullMarked;
