package dev.rockpool.examples.fleet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command: lists inputs, and writes tables of rows about them as Parquet. */
abstract class Job implements Callable<Integer> {
  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description = "A file, a folder, or @FILE with one of these on each line; or URIs of these.")
  private List<String> paths = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FOLDER",
      description = "Write tables to FOLDER, which must not exist, as Parquet.")
  private String output = "";

  @Spec private @Nullable CommandSpec spec;

  private final Pattern ending;

  /** Files in folders are inputs if their names end like this. */
  Job(String ending) {
    this.ending = Pattern.compile("(" + ending + ")$");
  }

  @Override
  public final Integer call() throws IOException {
    SparkSession spark = SparkSession.builder().appName("rockpool-fleet").getOrCreate();
    Configuration conf = spark.sparkContext().hadoopConfiguration();
    Path folder = new Path(output);
    if (folder.getFileSystem(conf).exists(folder)) {
      throw misuse("--output must not exist: " + output);
    }
    List<Input> inputs =
        paths.stream()
            .flatMap(path -> inputs(path, conf).stream())
            .distinct()
            .sorted(Input.LARGEST_FIRST)
            .toList();
    if (inputs.isEmpty()) {
      throw misuse("PATH must name files: there is none in " + String.join(" ", paths));
    }
    run(spark, inputs);
    return 0;
  }

  /** Reads the inputs and writes the tables. */
  abstract void run(SparkSession spark, List<Input> inputs);

  /** Does {@code work} on each in a task of its own, once. */
  static <T, R> JavaRDD<R> eachAlone(
      SparkSession spark, List<T> all, Function2<T, Configuration, R> work) {
    JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
    Broadcast<SerializableConfiguration> conf =
        context.broadcast(new SerializableConfiguration(context.hadoopConfiguration()));
    return context
        .parallelize(all, Math.max(1, all.size()))
        .map(one -> work.call(one, conf.value().value()))
        .persist(StorageLevel.MEMORY_AND_DISK());
  }

  private List<Input> inputs(String path, Configuration conf) {
    try {
      return Input.list(path, ending, conf);
    } catch (IOException | IllegalArgumentException e) {
      throw misuse(
          "PATH must be a file, a folder, or @FILE with one of these on each line: %s: %s"
              .formatted(path, Input.reason(e)));
    }
  }

  private ParameterException misuse(String rule) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), rule);
  }

  /** Writes a table, ordered by its first column, to the folder of this name, and returns it. */
  final Dataset<Row> write(String name, Dataset<Row> rows) {
    String table = output + Path.SEPARATOR + name;
    rows.sort(rows.columns()[0]).write().parquet(table);
    return rows.sparkSession().read().parquet(table);
  }
}
