package dev.rockpool.structs;

import java.util.List;

/**
 * Checks each {@code EVERY}th struct, on a platform and on a virtual thread, then again {@code
 * ROUNDS} times in all, so that compiled code takes part. Arguments: {@code EVERY ROUNDS}.
 */
final class StructCalls {
  private StructCalls() {}

  public static void main(String[] args) throws Exception {
    int every = Integer.parseInt(args[0]);
    int rounds = Integer.parseInt(args[1]);
    Findings findings = new Findings();
    List<CStruct> all = Structs.ALL;
    int checked = 0;
    for (int i = 0; i < all.size(); i += every) {
      CStruct struct = all.get(i);
      StructCheck check = new StructCheck(struct, findings);
      Runnable run = () -> run(check, struct, rounds, findings);
      run.run();
      Thread.ofVirtual().start(run).join();
      checked++;
    }
    findings.exitIfAny();
    System.out.println(checked + " structs");
  }

  private static void run(StructCheck check, CStruct struct, int rounds, Findings findings) {
    try {
      check.checkShape();
      for (int round = 0; round < rounds; round++) {
        check.check(CStruct.mix(struct.number(), round));
      }
    } catch (Throwable failure) {
      findings.add(failure + " of " + struct);
    }
  }
}
