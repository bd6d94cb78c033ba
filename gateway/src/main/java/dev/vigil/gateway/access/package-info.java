/**
 * Who may do what, and how an operator shows who it is. Decided by value on the thread that asks;
 * only the count of failed attempts is shared, under a lock of its own.
 */
@NullMarked
package dev.vigil.gateway.access;

import org.jspecify.annotations.NullMarked;
