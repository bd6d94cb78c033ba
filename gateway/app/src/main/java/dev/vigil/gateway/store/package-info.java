/**
 * The store of the gateway, as the other packages see it: {@link dev.vigil.store.Store} for state,
 * {@link dev.vigil.gateway.store.DataFolder} for files beside it, {@link
 * dev.vigil.gateway.store.StoreStatistics} and {@link dev.vigil.gateway.store.StoreHealth} for
 * operations. {@link dev.vigil.gateway.store.StoreConfiguration} chooses the adapter; each adapter
 * has a package of its own below this one, which no other package uses.
 */
@NullMarked
package dev.vigil.gateway.store;

import org.jspecify.annotations.NullMarked;
