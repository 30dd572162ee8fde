/** Native calls with structs by value. Not below the agent's package, which the agent leaves. */
package dev.rockpool.structs;
