/**
 * Archives of readings and their verification: CSV and JSON lines that hold each value together
 * with the object that the endpoint signed. Pure functions and one verifier, used by one thread.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.vigil.gateway.archive;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
