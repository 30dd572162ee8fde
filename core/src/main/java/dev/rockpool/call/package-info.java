/**
 * Native calls that report failures through an error code, without a capture segment to pass.
 *
 * <p>Start at {@link dev.rockpool.call.CallState}. It adapts a downcall handle that captures {@code
 * errno} so that the handle returns the negated code or throws a {@link
 * dev.rockpool.call.NativeCallException}. {@link dev.rockpool.call.Failure} defines which results
 * are failures. The rest of the package is not public: {@code CapturingCall} refuses handles that
 * can't be adapted, and combines adapted ones from method handles; {@code SystemErrors} knows the
 * names and texts of error codes.
 */
@NullMarked
package dev.rockpool.call;

import org.jspecify.annotations.NullMarked;
