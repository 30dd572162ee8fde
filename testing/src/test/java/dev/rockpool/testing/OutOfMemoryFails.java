package dev.rockpool.testing;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Has a test fail that ends with an OutOfMemoryError. JUnit would end the whole run, and name no
 * test: but here such an error most likely is that of a limit. Registered for all tests.
 */
public final class OutOfMemoryFails implements InvocationInterceptor {
  @Override
  public void interceptTestMethod(
      Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
      throws Throwable {
    run(test, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
      throws Throwable {
    run(test, context);
  }

  private static void run(Invocation<Void> test, ExtensionContext context) throws Throwable {
    try {
      test.proceed();
    } catch (OutOfMemoryError refused) {
      throw new AssertionError(
          context.getRequiredTestMethod() + " ended with an OutOfMemoryError", refused);
    }
  }
}
