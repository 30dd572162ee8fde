/**
 * The subcommands for the agent in a running JVM: {@code attach}, {@code detach}, {@code status},
 * {@code record}.
 *
 * <p>{@code AgentInJvm} installs and uninstalls the agent, and knows it by a system property of the
 * JVM. {@link dev.rockpool.cli.attach.Beans} reads what the agent and the pool publish by JMX.
 */
@NullMarked
package dev.rockpool.cli.attach;

import org.jspecify.annotations.NullMarked;
