package dev.rockpool.study;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.openssl.panama.OpenSSLImplementation;

/** Tomcat, whose TLS is OpenSSL, called by java.lang.foreign: pages on loopback. */
public final class Web {
  private static final String PASSWORD = "changeit";
  private static final int CONNECTIONS = 100;
  private static final int REQUESTS = 50;
  private static final int PAGE = 20_000;

  private Web() {}

  /** For a PKCS12 file with the server's key and certificate, for localhost. Needs libssl. */
  public static void main(String[] args) throws Exception {
    Path keys = Path.of(args[0]);
    Tomcat tomcat = tomcat(keys, Files.createTempDirectory("study-web"));
    tomcat.start();
    try {
      URI page = URI.create("https://localhost:" + tomcat.getConnector().getLocalPort() + "/");
      SSLContext trust = trust(keys);
      long bytes = 0;
      for (int i = 0; i < CONNECTIONS; i++) {
        bytes += get(trust, page);
      }
      System.out.println("web: " + CONNECTIONS * REQUESTS + " pages, " + bytes + " bytes");
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  private static Tomcat tomcat(Path keys, Path folder) throws LifecycleException {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    Context context = tomcat.addContext("", folder.toString());
    Tomcat.addServlet(context, "page", new PageServlet(new Words().text(PAGE / 4)));
    context.addServletMappingDecoded("/", "page");
    tomcat.setConnector(connector(keys));
    return tomcat;
  }

  private static Connector connector(Path keys) {
    Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    connector.setSecure(true);
    connector.setScheme("https");
    connector.setProperty("SSLEnabled", "true");
    connector.setProperty("sslImplementationName", OpenSSLImplementation.class.getName());
    SSLHostConfig host = new SSLHostConfig();
    SSLHostConfigCertificate certificate =
        new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
    certificate.setCertificateKeystoreFile(keys.toAbsolutePath().toString());
    certificate.setCertificateKeystorePassword(PASSWORD);
    host.addCertificate(certificate);
    connector.addSslHostConfig(host);
    return connector;
  }

  private static SSLContext trust(Path keys) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, PASSWORD.toCharArray());
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    String alias = store.aliases().nextElement();
    trusted.setCertificateEntry(alias, store.getCertificate(alias));
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }

  private static long get(SSLContext trust, URI page) throws IOException, InterruptedException {
    long bytes = 0;
    try (HttpClient client = HttpClient.newBuilder().sslContext(trust).build()) {
      for (int i = 0; i < REQUESTS; i++) {
        bytes +=
            client
                .send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofByteArray())
                .body()
                .length;
      }
    }
    return bytes;
  }

  /** Answers with the same text each time. */
  private static final class PageServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final String text;

    PageServlet(String text) {
      this.text = text;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setContentType("text/plain");
      response.getWriter().print(text);
    }
  }
}
