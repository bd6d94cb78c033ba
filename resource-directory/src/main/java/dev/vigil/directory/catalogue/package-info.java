/**
 * The catalogue: the present registrations, folded from the store's feed, and the indexes that
 * lookups use.
 *
 * <p>Threads: one writer at a time (the store's feed thread, or the caller of {@link
 * dev.vigil.directory.catalogue.Catalogue#expire}) and any number of readers. A read-write lock
 * guards the indexes; an entry's content is replaced as a whole.
 */
@NullMarked
package dev.vigil.directory.catalogue;

import org.jspecify.annotations.NullMarked;
