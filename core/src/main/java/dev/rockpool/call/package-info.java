/**
 * Native calls that report through an error code, without a segment for it.
 *
 * <p>{@link dev.rockpool.call.CallState} is the way in: it makes of a downcall handle that captures
 * {@code errno} one that returns the negated code, or throws a {@link
 * dev.rockpool.call.NativeCallException}. {@link dev.rockpool.call.Failure} says which results are
 * failures. The rest of the package is how it works:
 *
 * <ul>
 *   <li>{@code HandleShape} refuses handles that can't be adapted.
 *   <li>{@code CapturingCall} puts the adapted handle together: each call captures into an arena of
 *       its own.
 *   <li>{@code Outcome} is what becomes of the result: {@code NegatedCode} or {@code ThrownCode}.
 *   <li>{@code SystemErrors} asks the system what an error is called; {@code ErrnoNames} has the
 *       names for those C libraries that can't say.
 * </ul>
 */
@NullMarked
package dev.rockpool.call;

import org.jspecify.annotations.NullMarked;
