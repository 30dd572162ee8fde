/**
 * Meters for Micrometer: what pools of arenas serve and hold, and what budgets of direct memory
 * have handed out. Start at {@link dev.rockpool.micrometer.RockpoolMeters}.
 */
@NullMarked
package dev.rockpool.micrometer;

import org.jspecify.annotations.NullMarked;
