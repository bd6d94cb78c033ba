/**
 * Archives of readings and their verification. CSV and JSON lines contain each value together with
 * the object that the endpoint signed. The code consists of pure functions and a verifier for one
 * thread.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.archive;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
