/**
 * The program that {@code ./rockpool report} runs without and with the agent, to measure what one
 * arena costs on this machine. It knows nothing of Rockpool.
 */
@NullMarked
package dev.rockpool.calibration;

import org.jspecify.annotations.NullMarked;
