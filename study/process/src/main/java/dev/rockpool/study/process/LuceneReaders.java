package dev.rockpool.study.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.MMapDirectory;

/**
 * Lucene: an index that grows and merges. A reader maps its files, which merges delete. All
 * mappings of a segment end together, so that an unclosed reader also holds what later ones mapped:
 * resident files are several times its own.
 */
final class LuceneReaders extends Work {
  private static final int DOCUMENTS = 100;
  private static final int TERMS = 100;
  private static final int EACH = 10;

  private final Random random = new Random(1);
  private final List<DirectoryReader> kept = new ArrayList<>();
  private final MMapDirectory directory;
  private final IndexWriter writer;

  LuceneReaders(Path folder) throws IOException {
    super(1);
    directory = new MMapDirectory(folder);
    writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()));
  }

  @Override
  void leak(int number) throws IOException {
    if (number % EACH == 0) {
      write(number);
      leakReader();
    } else {
      close(number);
    }
  }

  @Override
  void close(int number) throws IOException {
    write(number);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      search(reader);
    }
  }

  private void write(int number) throws IOException {
    for (int i = 0; i < DOCUMENTS; i++) {
      byte[] content = new byte[1_000];
      random.nextBytes(content);
      Document document = new Document();
      document.add(new StringField("term", "term" + random.nextInt(TERMS), Store.NO));
      document.add(new StoredField("content", content));
      writer.addDocument(document);
    }
    if (number % EACH == 0) {
      writer.forceMerge(1);
    }
    writer.commit();
  }

  private void leakReader() throws IOException {
    DirectoryReader reader = DirectoryReader.open(directory);
    search(reader);
    kept.add(reader);
    long bytes = 0;
    for (String file : reader.getIndexCommit().getFileNames()) {
      bytes += directory.fileLength(file);
    }
    leaked(bytes);
  }

  private static void search(DirectoryReader reader) throws IOException {
    for (LeafReaderContext leaf : reader.leaves()) {
      leaf.reader().checkIntegrity(); // reads all, so that all pages are resident
    }
    new IndexSearcher(reader).search(new TermQuery(new Term("term", "term1")), 10);
  }
}
