/**
 * The program behind the forecast of {@code ./rockpool report}, for JVMs of its own: it opens
 * arenas as a recorded program did, and measures the processor time. It knows nothing of Rockpool.
 */
@NullMarked
package dev.rockpool.calibration;

import org.jspecify.annotations.NullMarked;
