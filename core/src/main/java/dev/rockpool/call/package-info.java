/**
 * Native calls that report failures through an error code, without a capture segment to pass.
 *
 * <p>Start at {@link dev.rockpool.call.CallState}. It adapts a downcall handle that captures {@code
 * errno} so that the handle returns the negated code or throws a {@link
 * dev.rockpool.call.NativeCallException}. {@link dev.rockpool.call.Failure} defines which results
 * are failures. The rest of the package is not public:
 *
 * <ul>
 *   <li>{@code CapturingCall} refuses handles that can't be adapted, and combines the adapted
 *       handle, in which each call has its own arena.
 *   <li>{@code Outcome} is the last step of a handle: returns the negated code, or throws.
 *   <li>{@code SystemErrors} looks up the system's names and texts of error codes; {@code
 *       ErrnoNames} has the names for C libraries without such a function.
 * </ul>
 */
@NullMarked
package dev.rockpool.call;

import org.jspecify.annotations.NullMarked;
