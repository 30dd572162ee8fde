package dev.rockpool.clients;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.MMapDirectory;

/**
 * Fills an index in a folder with that many documents, has memory refused beside it, and searches.
 */
final class LuceneIndex {
  private LuceneIndex() {}

  public static void main(String[] args) throws IOException {
    int documents = Integer.parseInt(args[1]);
    try (MMapDirectory directory = new MMapDirectory(Path.of(args[0]));
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      for (int i = 0; i < documents; i++) {
        Document document = new Document();
        document.add(new StringField("parity", i % 2 == 0 ? "even" : "odd", Field.Store.YES));
        document.add(new StringField("text", text(i), Field.Store.YES));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
      writer.commit();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        System.out.println(beside());
        IndexSearcher searcher = new IndexSearcher(reader);
        System.out.println(searcher.count(new TermQuery(new Term("parity", "odd"))) + " hits");
      }
    }
  }

  /** As good as random, so that the index stays large. */
  private static String text(int document) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      text.append(Long.toHexString((8L * document + i) * 0x9e3779b97f4a7c15L));
    }
    return text.toString();
  }

  private static String beside() {
    try (Arena arena = Arena.ofShared()) {
      arena.allocate(600_000);
      return "not refused: " + arena.allocate(600_000);
    } catch (OutOfMemoryError refused) {
      return refused.getMessage();
    }
  }
}
