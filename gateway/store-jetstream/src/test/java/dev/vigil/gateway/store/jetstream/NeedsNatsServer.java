package dev.vigil.gateway.store.jetstream;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Tests that are skipped, with the reason, where no nats-server is installed. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(NeedsNatsServer.Condition.class)
@interface NeedsNatsServer {
  /** Whether the program exists. */
  class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      if (NatsServer.program().isPresent()) {
        return ConditionEvaluationResult.enabled("there is a nats-server");
      }
      String reason = "skipped: no nats-server; ./vigil test installs it into target/venv";
      System.err.println(context.getDisplayName() + ": " + reason);
      return ConditionEvaluationResult.disabled(reason);
    }
  }
}
