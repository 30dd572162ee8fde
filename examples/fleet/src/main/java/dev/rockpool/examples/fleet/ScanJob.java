package dev.rockpool.examples.fleet;

import dev.rockpool.scan.Baseline;
import dev.rockpool.scan.ClassPath;
import dev.rockpool.scan.Finding.Request;
import dev.rockpool.scan.Scan;
import dev.rockpool.scan.Verdict;
import dev.rockpool.scan.Verdict.Site;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code scan}: a row for each place in jars that creates arenas. */
@Command(
    name = "scan",
    header = "Find where jars create arenas.",
    description = {
      "",
      "Scans each jar, war, ear and jmod for itself, as ./rockpool scan does. Writes tables sites"
          + " (a row for each place) and artifacts (a row for each jar, for each jar in it, and,"
          + " with the reason, for all that could not be read).",
      "",
    })
final class ScanJob extends Job {
  /** Columns have the names that {@code --csv} gives them, and requests those of {@code --json}. */
  private static final StructType SITES =
      StructType.fromDDL(
          "artifact STRING, entry STRING, release INT, class STRING, method STRING, source STRING,"
              + " line INT, kind STRING, pooling STRING, closing STRING, escapes ARRAY<STRING>,"
              + " nested BOOLEAN, inLoop BOOLEAN, bytes BIGINT, conditions ARRAY<STRING>,"
              + " requests ARRAY<STRUCT<bytes: BIGINT, repeated: BOOLEAN, line: INT>>");

  private static final StructType ARTIFACTS =
      StructType.fromDDL("artifact STRING, classes INT, sites INT, reason STRING");

  ScanJob() {
    super("\\.(jar|war|ear|jmod)");
  }

  @Override
  void run(SparkSession spark, List<Input> jars) {
    JavaRDD<Scanned> scanned = eachAlone(spark, jars, Scanned::of);
    write("sites", spark.createDataFrame(scanned.flatMap(jar -> jar.sites.iterator()), SITES));
    JavaRDD<Row> artifacts = scanned.flatMap(jar -> jar.artifacts.iterator());
    Row sums =
        write("artifacts", spark.createDataFrame(artifacts, ARTIFACTS))
            .selectExpr(
                "count(classes)",
                "ifnull(sum(classes), 0)",
                "ifnull(sum(sites), 0)",
                "count(reason)")
            .first();
    System.out.printf(
        "Scanned %d jars: %s artifacts, %s classes, %s sites; %s could not be read%n",
        jars.size(), sums.get(0), sums.get(1), sums.get(2), sums.get(3));
  }

  /** Rows about a jar. */
  private record Scanned(List<Row> sites, List<Row> artifacts) implements Serializable {
    static Scanned of(Input jar, Configuration conf) {
      try {
        return jar.read(conf, file -> of(jar, file));
      } catch (Exception | AssertionError | LinkageError e) {
        return new Scanned(List.of(), List.of(skipped(jar.name(), Input.reason(e))));
      }
    }

    private static Scanned of(Input jar, Path file) {
      ClassPath classPath = new ClassPath(List.of());
      classPath.addAll(List.of(file));
      Scan scan = Scan.of(classPath);
      List<Row> sites = new ArrayList<>();
      for (Site site : new Verdict(scan, Set.of(), Baseline.EMPTY).sites()) {
        sites.add(row(jar.renamed(site.artifact().name(), file), site));
      }
      List<Row> artifacts = new ArrayList<>();
      for (Scan.Artifact artifact : scan.artifacts()) {
        String name = jar.renamed(artifact.name(), file);
        artifacts.add(
            RowFactory.create(name, artifact.classes(), artifact.findings().size(), null));
      }
      for (Scan.Skipped skipped : scan.skipped()) {
        artifacts.add(skipped(jar.renamed(skipped.name(), file), skipped.reason()));
      }
      return new Scanned(sites, artifacts);
    }

    private static Row skipped(String name, String reason) {
      return RowFactory.create(name, null, null, reason);
    }
  }

  private static Row row(String artifact, Site site) {
    List<@Nullable Object> row = new ArrayList<>();
    site.values().values().forEach(value -> row.add(plain(value.orElse(null))));
    row.set(0, artifact);
    row.add(site.finding().requests().stream().map(ScanJob::row).toArray());
    return RowFactory.create(row.toArray());
  }

  private static Row row(Request request) {
    return RowFactory.create(
        request.bytes().isPresent() ? request.bytes().getAsLong() : null,
        request.repeated(),
        request.line() < 0 ? null : request.line());
  }

  private static @Nullable Object plain(@Nullable Object value) {
    return switch (value) {
      case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT);
      case Collection<?> all -> all.stream().map(ScanJob::plain).toArray(String[]::new);
      case null, default -> value;
    };
  }
}
