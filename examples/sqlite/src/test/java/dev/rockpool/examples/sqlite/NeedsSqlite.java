package dev.rockpool.examples.sqlite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips the tests of a class where the system has no SQLite, and says so; but not where environment
 * variable {@code CI} is true.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsSqlite.Condition.class)
public @interface NeedsSqlite {
  /** Looks for the library as the binding does. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      try {
        Sqlite3.Library.load();
        return ConditionEvaluationResult.enabled("There is SQLite");
      } catch (UnsatisfiedLinkError e) {
        if ("true".equals(System.getenv("CI"))) {
          throw e;
        }
        return ConditionEvaluationResult.disabled(e.getMessage());
      }
    }
  }
}
