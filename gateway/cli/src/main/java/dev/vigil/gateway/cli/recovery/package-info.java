/**
 * The commands that save and restore a data folder: {@code backup}, {@code restore} and {@code
 * replace}. They need no Spring. {@code backup} works beside a running gateway, from a snapshot of
 * the database; the other commands lock the data folder. Each runs on {@code main}.
 */
@NullMarked
package dev.vigil.gateway.cli.recovery;

import org.jspecify.annotations.NullMarked;
