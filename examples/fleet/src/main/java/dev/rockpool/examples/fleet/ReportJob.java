package dev.rockpool.examples.fleet;

import dev.rockpool.cli.report.recording.Figures.ArenaSite;
import dev.rockpool.cli.report.recording.Holders.Field;
import dev.rockpool.cli.report.recording.Holders.Holder;
import dev.rockpool.cli.report.recording.Merge;
import dev.rockpool.cli.report.recording.Merge.Note;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.SerializableConfiguration;
import picocli.CommandLine.Command;
import scala.Tuple2;

/**
 * {@code report}: the sums of many recordings, a row for each call site.
 *
 * <p>The figures of recordings add up unless two have a chunk or the run of a JVM in common.
 * Therefore each recording is read alone first. Those that overlap are read again, by one {@link
 * Merge}.
 */
@Command(
    name = "report",
    header = "Merge what recordings say about call sites.",
    description = {
      "",
      "Adds up recordings (.jfr) as ./rockpool report does. Writes tables sites (where confined"
          + " arenas are opened), holders (of native memory, with leaks) and recordings (a row for"
          + " each, with the reason if all or a part was not used).",
      "",
    })
final class ReportJob extends Job {
  private static final StructType SITES =
      StructType.fromDDL(
          "site STRING, arenas BIGINT, allocations BIGINT, bytes BIGINT, largestTotal BIGINT");

  private static final StructType HOLDERS =
      StructType.fromDDL(
          Arrays.stream(Field.values())
              .map(field -> ", " + field.key() + " BIGINT")
              .collect(Collectors.joining("", "site STRING, kind STRING", "")));

  private static final StructType RECORDINGS =
      StructType.fromDDL("recording STRING, used BOOLEAN, reason STRING");

  /** Figures of which the most counts; others are added up. */
  private static final Set<String> MAXIMA =
      Stream.concat(
              Stream.of("largestTotal"),
              Arrays.stream(Field.values()).filter(field -> !field.sums()).map(Field::key))
          .collect(Collectors.toUnmodifiableSet());

  ReportJob() {
    super("\\.jfr");
  }

  @Override
  void run(
      SparkSession spark,
      JavaSparkContext context,
      List<Input> inputs,
      Broadcast<SerializableConfiguration> conf) {
    JavaRDD<Part> alone =
        context
            .parallelize(inputs, inputs.size())
            .map(input -> Part.of(List.of(input), conf.value().value()))
            .persist(StorageLevel.MEMORY_AND_DISK());
    List<List<Input>> groups =
        joined(
            alone
                .flatMapToPair(part -> part.keys().iterator())
                .groupByKey(context.defaultParallelism())
                .values()
                .map(sharing -> StreamSupport.stream(sharing.spliterator(), false).toList())
                .filter(sharing -> sharing.size() > 1)
                .collect());
    Set<Input> again = groups.stream().flatMap(List::stream).collect(Collectors.toSet());
    JavaRDD<Part> together =
        context
            .parallelize(groups, Math.max(1, groups.size()))
            .map(group -> Part.of(group, conf.value().value()))
            .persist(StorageLevel.MEMORY_AND_DISK());
    JavaRDD<Part> parts =
        alone.filter(part -> !again.contains(part.inputs.getFirst())).union(together);
    Dataset<Row> sites =
        sums(spark.createDataFrame(parts.flatMap(part -> part.sites.iterator()), SITES));
    Dataset<Row> holders =
        sums(spark.createDataFrame(parts.flatMap(part -> part.holders.iterator()), HOLDERS));
    Dataset<Row> recordings =
        spark.createDataFrame(parts.flatMap(part -> part.recordings.iterator()), RECORDINGS);
    long siteCount = write("sites", sites).count();
    long holderCount = write("holders", holders).count();
    Row counts =
        write("recordings", recordings).selectExpr("count_if(used)", "count(reason)").first();
    System.out.printf(
        "Merged %s of %d recordings: %d sites, %d holders; all or a part of %s was not used%n",
        counts.get(0), inputs.size(), siteCount, holderCount, counts.get(1));
  }

  /** Joins lists with an input in common. */
  static List<List<Input>> joined(List<List<Input>> lists) {
    Map<Input, Set<Input>> groups = new HashMap<>();
    for (List<Input> list : lists) {
      Set<Input> group = new TreeSet<>(Input.LARGEST_FIRST);
      list.forEach(input -> group.addAll(groups.getOrDefault(input, Set.of(input))));
      group.forEach(input -> groups.put(input, group));
    }
    return groups.values().stream().distinct().map(List::copyOf).toList();
  }

  /** Adds up rows with the same names. A sum beyond a long, as of forged figures, is null. */
  private static Dataset<Row> sums(Dataset<Row> rows) {
    List<Column> names = new ArrayList<>();
    List<Column> figures = new ArrayList<>();
    for (StructField field : rows.schema().fields()) {
      Column column = functions.col(field.name());
      if (field.dataType().equals(DataTypes.StringType)) {
        names.add(column);
      } else {
        boolean most = MAXIMA.contains(field.name());
        figures.add((most ? functions.max(column) : functions.try_sum(column)).as(field.name()));
      }
    }
    return rows.groupBy(names.toArray(Column[]::new))
        .agg(figures.getFirst(), figures.stream().skip(1).toArray(Column[]::new));
  }

  /** Rows about some recordings, merged; and the names of the parts that these have. */
  private record Part(
      List<Input> inputs,
      Set<String> parts,
      List<Row> sites,
      List<Row> holders,
      List<Row> recordings)
      implements Serializable {
    static Part of(List<Input> inputs, Configuration conf) {
      Merge merge = new Merge();
      List<Row> recordings = new ArrayList<>();
      for (Input input : inputs) {
        try {
          recordings.add(input.read(conf, file -> add(input, file, merge)));
        } catch (Exception e) {
          recordings.add(refused(input, e));
        }
      }
      List<Row> sites = new ArrayList<>();
      merge.figures().sites().forEach((name, figures) -> sites.add(row(name, figures)));
      try {
        List<Row> holders = merge.figures().holders().all().stream().map(Part::row).toList();
        return new Part(inputs, merge.parts(), sites, holders, recordings);
      } catch (ArithmeticException e) { // forged figures, whose sum is beyond a long
        List<Row> refused = inputs.stream().map(input -> refused(input, e)).toList();
        return new Part(inputs, Set.of(), List.of(), List.of(), refused);
      }
    }

    private static Row refused(Input input, Exception e) {
      return RowFactory.create(input.name(), false, Input.reason(e));
    }

    private Stream<Tuple2<String, Input>> keys() {
      return parts.stream().map(part -> new Tuple2<>(part, inputs.getFirst()));
    }

    private static Row add(Input input, Path file, Merge merge) {
      merge.add(file);
      String reasons =
          merge.notes().stream()
              .filter(each -> each.file().equals(file))
              .map(Note::reason)
              .collect(Collectors.joining("; "));
      return RowFactory.create(
          input.name(),
          merge.sources().stream().anyMatch(source -> source.file().equals(file)),
          reasons.isEmpty() ? null : reasons);
    }

    private static Row row(String name, ArenaSite figures) {
      return RowFactory.create(
          name, figures.arenas(), figures.allocations(), figures.bytes(), figures.largestTotal());
    }

    private static Row row(Holder holder) {
      List<Object> row = new ArrayList<>(List.of(holder.site(), holder.kind()));
      for (Field field : Field.values()) {
        row.add(holder.get(field));
      }
      return RowFactory.create(row.toArray());
    }
  }
}
