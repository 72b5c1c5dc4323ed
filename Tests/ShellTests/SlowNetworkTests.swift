import EmbeddedMarket
import Foundation
import Images
import MarketAPI
import Networking
import ServerTesting
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// A network that accepts data at once and delivers it slowly, also after the client disconnected: a create is made
/// once.
@Suite(.timeLimit(Trial.limit)) struct SlowNetworkTests {
  /// A transport through the tunnel with the time limits of the test.
  private struct ThroughTunnel: Transport {
    let inner: any Transport
    let tunnel: URL
    let limits: Timeouts?
    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      var options = options
      if let limits { options.limits = limits }
      return try await inner.send(request, to: tunnel, with: options)
    }
  }

  private static let line =
    "new name='느린 선' description='사진 네 장이 있는 느린 선의 상품' price=1000 currency=KRW stock=1 images=~/1.jpg,~/2.jpg,~/3.jpg,~/4.jpg yes"

  /// Writes four noise pictures of about this size, which can't be compressed further.
  private static func writePictures(_ sandbox: Sandbox, _ size: Int) throws {
    let side = max(16, Int((Double(size) / 1.15).squareRoot()))
    var dice = SplitMix64(7)
    for number in 1...4 {
      var noise = Bitmap(width: side, height: side, fill: .black)
      for index in noise.pixels.indices where index % 4 != 3 {
        noise.pixels[index] = UInt8.random(in: 0...255, using: &dice)
      }
      try noise.jpeg(quality: 60).write(to: URL(fileURLWithPath: sandbox.folder + "/\(number).jpg"))
    }
  }

  private func withSandbox(
    _ edition: Edition, _ limits: Timeouts?, _ body: (Sandbox, Tunnel) async throws -> Void
  ) async throws {
    let tunnel = try await Tunnel()
    var options = SessionOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    let environment = [
      "OPENMARKET_IDENTIFIER": EmbeddedMarket.demoVendor.identifier,
      "OPENMARKET_SECRET": EmbeddedMarket.demoVendor.secret,
    ]
    let result: Result<Void, any Error>
    do {
      try await Sandbox.with(
        options: options, environment: environment, edition: served,
        between: { door, url in
          tunnel.lead(to: url.port ?? 0)
          return ThroughTunnel(inner: door, tunnel: tunnel.url, limits: limits)
        }
      ) { try await body($0, tunnel) }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    await tunnel.stop()
    try result.get()
  }

  /// The transfer takes twice the timeout for a transfer without progress, which is the only one that is cancelled.
  ///
  /// Both are long, because a busy machine may delay them by seconds; the time until the response is no subject here.
  @Test(arguments: Edition.allCases) func slowUploadCreatesOneProduct(_ edition: Edition) async throws {
    var limits = Timeouts()
    limits.upload = .seconds(4)
    limits.firstByte = Waiting.timeLimit
    try await withSandbox(edition, limits) { sandbox, tunnel in
      try SlowNetworkTests.writePictures(sandbox, 30_000)
      tunnel.deliver(bytesPerSecond: 6_000)
      let said = await sandbox.run(SlowNetworkTests.line)
      #expect(!said.contains("= "), "\(said)")
      tunnel.deliver(bytesPerSecond: nil)
      try await count(sandbox, tunnel, made: 1, sent: 1)
    }
  }

  /// A complete create without a response is undecided, and nothing more is sent.
  ///
  /// If it arrives later, it is one product.
  @Test(arguments: Edition.allCases) func stalledUploadIsUndecided(_ edition: Edition) async throws {
    var limits = Timeouts()
    limits.firstByte = .milliseconds(500)
    limits.minimumBytesPerSecond = 1_000_000
    try await withSandbox(edition, limits) { sandbox, tunnel in
      try SlowNetworkTests.writePictures(sandbox, 10_000)
      tunnel.hold("POST ")
      let said = await sandbox.run(SlowNetworkTests.line)
      #expect(said.hasSuffix("= 5\n"), "\(said)")
      try await count(sandbox, tunnel, made: 0, sent: 1)
      tunnel.release()
      try await Waiting.until("the product") {
        try await Task.sleep(for: .milliseconds(20))
        return try await made(sandbox) > 0
      }
      try await count(sandbox, tunnel, made: 1, sent: 1)
    }
  }

  /// The create at modem speed with the default time limits.
  @Test(.enabled(if: Trial.isLong), arguments: Edition.allCases, [24_000, 8_000])
  func modemSpeedUploadCreatesOneProduct(_ edition: Edition, _ bytesPerSecond: Int) async throws {
    try await withSandbox(edition, nil) { sandbox, tunnel in
      try SlowNetworkTests.writePictures(sandbox, 250_000)
      tunnel.deliver(bytesPerSecond: bytesPerSecond)
      let said = await sandbox.run(SlowNetworkTests.line)
      #expect(!said.contains("= "), "\(said)")
      tunnel.deliver(bytesPerSecond: nil)
      try await count(sandbox, tunnel, made: 1, sent: 1)
    }
  }

  private func made(_ sandbox: Sandbox) async throws -> Int {
    await sandbox.run("ls where name='느린 선' columns id as csv").matches(of: #/\d+\n/#).count
  }

  private func count(_ sandbox: Sandbox, _ tunnel: Tunnel, made: Int, sent: Int) async throws {
    let found = try await self.made(sandbox)
    #expect(found == made)
    #expect(tunnel.firstLines.filter { $0.hasPrefix("POST ") }.count == sent, "\(tunnel.firstLines)")
  }
}
