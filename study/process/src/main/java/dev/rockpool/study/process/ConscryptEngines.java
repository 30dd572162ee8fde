package dev.rockpool.study.process;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.conscrypt.OpenSSLProvider;

/** Conscrypt: TLS by BoringSSL. Each engine sends the first message of a handshake. */
final class ConscryptEngines extends Work {
  private static final String HOST = "localhost";
  private static final int PORT = 443;

  private final List<SSLEngine> kept = new ArrayList<>();
  private final ByteBuffer nothing = ByteBuffer.allocate(0);
  private final ByteBuffer sent = ByteBuffer.allocate(20_000);
  private final SSLContext context;

  ConscryptEngines() throws GeneralSecurityException {
    super(25);
    context = SSLContext.getInstance("TLS", new OpenSSLProvider());
    context.init(null, null, null);
  }

  @Override
  void leak(int number) throws SSLException {
    SSLEngine engine = context.createSSLEngine(HOST, PORT);
    startHandshake(engine);
    kept.add(engine);
    leaked(0);
  }

  @Override
  void close(int number) throws SSLException {
    SSLEngine engine = context.createSSLEngine(HOST, PORT);
    startHandshake(engine);
    engine.closeOutbound();
    engine.closeInbound();
  }

  private void startHandshake(SSLEngine engine) throws SSLException {
    engine.setUseClientMode(true);
    engine.beginHandshake();
    sent.clear();
    engine.wrap(nothing, sent);
  }
}
