package dev.rockpool.study.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.compression.gzip.GzipCompression;
import org.eclipse.jetty.compression.server.CompressionHandler;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** Jetty on loopback, which compresses its answers. The handler unpacks what clients post. */
final class JettyBodies extends Work {
  /** The window and the state of zlib's inflate, by zconf.h. */
  private static final long BYTES = (32 << 10) + 7_160;

  private final byte[] posted = packed(Noise.bytes(60_000));
  private final List<InputStream> kept = new ArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI server;

  JettyBodies() throws Exception {
    super(25);
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server, 1, 1);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    CompressionHandler compression = new CompressionHandler(new Unpacking());
    compression.putCompression(new GzipCompression());
    server.setHandler(compression);
    server.start();
    this.server = URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/");
  }

  private static byte[] packed(byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(content);
    }
    return packed.toByteArray();
  }

  @Override
  void leak(int number) throws IOException, InterruptedException {
    post("leak");
  }

  @Override
  void close(int number) throws IOException, InterruptedException {
    post("close");
  }

  private void post(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve(path))
            .header("Accept-Encoding", "gzip")
            .POST(BodyPublishers.ofByteArray(posted))
            .build();
    HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
    if (response.statusCode() != 200 || !response.headers().map().containsKey("content-encoding")) {
      throw new IOException("not as wanted: " + response + response.headers());
    }
  }

  /** Answers with the text "a" as often as bytes were posted. */
  private final class Unpacking extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      byte[] body = Content.Source.asInputStream(request).readAllBytes();
      boolean isLeaking = request.getHttpURI().getPath().equals("/leak");
      int length = isLeaking ? leakBody(body) : closeBody(body);
      response.getHeaders().put("Content-Type", "text/plain");
      response.write(true, UTF_8.encode("a".repeat(length)), callback);
      return true;
    }
  }

  private int leakBody(byte[] body) throws IOException {
    InputStream in = new GZIPInputStream(new ByteArrayInputStream(body));
    int length = in.readAllBytes().length;
    synchronized (kept) {
      kept.add(in);
    }
    leaked(BYTES);
    return length;
  }

  private static int closeBody(byte[] body) throws IOException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
      return in.readAllBytes().length;
    }
  }
}
