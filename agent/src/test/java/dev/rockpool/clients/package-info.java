/**
 * Programs that use direct buffers as programs do, and know nothing of Rockpool: run by tests
 * without and with the agent, they have to print the same.
 *
 * <p>Standard output is what is compared. To standard error they tell what {@link
 * dev.rockpool.clients.RockpoolDirect} sees, which without the agent is nothing.
 */
package dev.rockpool.clients;
