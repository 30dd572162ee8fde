package dev.rockpool.study;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/** Lucene: an index of 40,000 documents in mapped files, searched while it grows. */
public final class Search {
  private static final int ROUNDS = 40;
  private static final int DOCUMENTS = 1_000;
  private static final int QUERIES = 250;

  private final Words words = new Words();
  private long hits;

  private Search() {}

  /** For the folder of the index. */
  public static void main(String[] args) throws IOException {
    Search search = new Search();
    try (Directory directory = new MMapDirectory(Path.of(args[0]));
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
      for (int round = 0; round < ROUNDS; round++) {
        search.write(writer);
        search.read(directory);
      }
      writer.forceMerge(1);
    }
    System.out.println("search: " + ROUNDS * QUERIES + " queries, " + search.hits + " hits");
  }

  private void write(IndexWriter writer) throws IOException {
    for (int i = 0; i < DOCUMENTS; i++) {
      Document document = new Document();
      document.add(new TextField("body", words.text(60), Store.YES));
      document.add(new NumericDocValuesField("number", i));
      writer.addDocument(document);
    }
    writer.commit();
  }

  private void read(Directory directory) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      for (int i = 0; i < QUERIES; i++) {
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        query.add(new TermQuery(new Term("body", words.word())), Occur.SHOULD);
        query.add(new TermQuery(new Term("body", words.word())), Occur.SHOULD);
        hits += searcher.search(query.build(), 10).scoreDocs.length;
      }
    }
  }
}
