/**
 * The publishing interface: everything that another service needs to put an endpoint into the
 * directory.
 *
 * <p>A {@link dev.vigil.directory.publishing.Registration} is one fact of the store's slot {@code
 * rd}. The directory writes registrations that arrive at {@code /rd}; a service that answers for an
 * endpoint puts a registration of origin {@link
 * dev.vigil.directory.publishing.Registration.Published} into its own batch. The package contains
 * only values and codecs and has no threads.
 */
@NullMarked
package dev.vigil.directory.publishing;

import org.jspecify.annotations.NullMarked;
