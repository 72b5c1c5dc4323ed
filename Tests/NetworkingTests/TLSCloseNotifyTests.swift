import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Networking
import TestSupport
import Testing

/// Servers that close a TLS connection without the message that ends it (`close_notify`, RFC 8446 section 6.1).
@Suite(
  .startsPrograms, .timeLimit(Trial.limit),
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
struct TLSCloseNotifyTests {
  /// A complete body is a response; a body that ends with the connection, or too early, is not.
  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", true),
    ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello", true),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", true),
    ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", false),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", false),
    ("HTTP/1.1 200 OK\r\n\r\nhello", false), ("HTTP/1.1 200", false), ("", false),
  ])
  func onlyCompleteBodyIsAResponse(_ response: String, _ isComplete: Bool) async throws {
    let server = try await AbruptServer(response)
    let transport = HTTPTransport(version: "test")
    defer { transport.shutdownImmediately() }
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)"))
    var options = SendOptions(deadline: .seconds(60))
    options.route = ConnectionSettings(authorities: try TrustRoots(pem: server.certificate))
    do {
      let reply = try await transport.send(Request(.post, ["a"]), to: url, with: options)
      #expect(isComplete && String(decoding: reply.body, as: UTF8.self) == "hello")
    } catch let failure as TransportError {
      #expect(!isComplete && failure.reason == .connectionClosed, "\(failure)")
      #expect(failure.mayHaveBeenSent)
    }
    await transport.shutdown()
    await server.stop()
  }
}

/// A TLS server that sends the same text after every request, and then closes the connection abruptly.
private final class AbruptServer: Sendable {
  let port: Int
  let certificate: Data
  private let channel: any Channel
  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  init(_ response: String) async throws {
    let folder = NSTemporaryDirectory() + "tls-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let make = Process()
    make.executableURL = URL(filePath: "/usr/bin/openssl")
    make.arguments = [
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem",
      "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
    ]
    make.standardError = FileHandle.nullDevice
    try make.run()
    make.waitUntilExit()
    certificate = try Data(contentsOf: URL(filePath: folder + "/cert.pem"))
    let key = try Data(contentsOf: URL(filePath: folder + "/key.pem"))
    let tls = try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: NIOSSLCertificate.fromPEMBytes(Array(certificate)).map { .certificate($0) },
        privateKey: .privateKey(NIOSSLPrivateKey(bytes: Array(key), format: .pem))))
    channel = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(Wire(), name: Wire.name)
          try pipeline.addHandler(NIOSSLServerHandler(context: tls))
          try pipeline.addHandler(Responder(response))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  func stop() async {
    try? await channel.close().get()
    try? await group.shutdownGracefully()
  }

  /// The handler below TLS, from which the connection is closed.
  private final class Wire: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    static let name = "wire"
  }

  private final class Responder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let response: String
    private var received = ""

    init(_ response: String) { self.response = response }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      received += String(buffer: unwrapInboundIn(data))
      guard received.contains("\r\n\r\n") else { return }
      received = ""
      let pipeline = context.pipeline.syncOperations
      let bound = NIOLoopBound(pipeline, eventLoop: context.eventLoop)
      context.channel.writeAndFlush(ByteBuffer(string: response)).whenComplete { _ in
        try? bound.value.context(name: Wire.name).close(promise: nil)
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
