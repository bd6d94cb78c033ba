/**
 * Registration of sleepy endpoints ({@code POST /ms}; docs/protocol.md section 2): {@code
 * RegistrationReader} parses, {@code RegistrationPolicy} decides who gets a name, {@code
 * RegistrationService} commits and {@code RegistrationAnswers} answers. Uses {@code state} and the
 * packages below it.
 *
 * <p>Threads: everything runs on the thread of the request, with two exceptions on the store's
 * thread: a decision is repeated there if another writer was faster, and the answer is built there.
 * The lookup of a name that is not in {@code MirrorState} blocks on the store.
 */
@NullMarked
package dev.vigil.mirror.registration;

import org.jspecify.annotations.NullMarked;
