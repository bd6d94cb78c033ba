/**
 * Reading: mirrored values and their history ({@code ValueReader}), signed archives ({@code
 * ArchiveReader}), and the views of endpoints, keys and changes for operators and applications.
 * Uses {@code trust} (for the keys of archived values), {@code control}, {@code state} and the
 * packages below it.
 *
 * <p>Threads: everything runs on the caller's thread. Reading history blocks on the store; present
 * values and views come from {@code MirrorState} without a lock.
 */
@NullMarked
package dev.vigil.mirror.read;

import org.jspecify.annotations.NullMarked;
