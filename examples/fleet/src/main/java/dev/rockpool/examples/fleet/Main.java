package dev.rockpool.examples.fleet;

import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The job's command line, behind {@code spark-submit}. */
@Command(
    name = "fleet",
    description = "Scans many jars, or merges many recordings, by Apache Spark.",
    subcommands = {ScanJob.class, ReportJob.class},
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true)
public final class Main {
  private Main() {}

  /**
   * Runs the job. Fails with exit code 2 if the command line makes no sense, with 1 if Spark fails.
   * Clusters would repeat a job that fails, therefore unreadable files are no failure.
   */
  public static void main(String[] args) {
    int exitCode = commandLine().execute(args);
    if (SparkSession.getActiveSession().isDefined()) {
      SparkSession.active().stop();
    }
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main()).setExpandAtFiles(false); // @FILE is a list of inputs
  }
}
