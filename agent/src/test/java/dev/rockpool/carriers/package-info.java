/**
 * Virtual threads whose carriers end, on the scheduler of the JDK, under the agent and with the
 * library: what is left of each carrier, pool by pool.
 */
package dev.rockpool.carriers;
