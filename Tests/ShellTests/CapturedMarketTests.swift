import Foundation
import Images
import MarketAPI
import ServerTesting
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// The life of a product with a server that responds with captures of a real one over HTTP.
@Suite(.timeLimit(Trial.limit)) struct CapturedMarketTests {
  @Test func createShowPatchAndDeleteEqualGolden() async throws {
    let server = try await ReplayedMarket.start()
    var options = SessionOptions()
    options.url = server.url.absoluteString
    options.edition = .open
    let environment = [
      "OPENMARKET_IDENTIFIER": "vendor-50", "OPENMARKET_SECRET": "hush", "OPENMARKET_VENDOR_ID": "50",
    ]
    try await Sandbox.with(options: options, environment: environment) { try await live(in: $0, server) }
    let lines = server.requests.map { String($0.prefix { $0 != "\r\n" }) }
    #expect(
      lines.filter { !$0.hasPrefix("GET") } == [
        "POST /api/products HTTP/1.1", "PATCH /api/products/1944 HTTP/1.1", "POST /api/products/1944/archived HTTP/1.1",
        "DELETE /api/products/MTYyNHw4M2I2YWNiNC04NTc4LTExZWQtYmUxMC03M2U3MGRlNWY4YjA= HTTP/1.1",
      ])
    await server.stop()
  }

  private func live(in sandbox: Sandbox, _ server: TinyServer) async throws {
    let picture = sandbox.folder + "/a.jpg"
    try ProductArt.draw(.mug, palette: 1, side: 64).jpeg(quality: 80).write(to: URL(fileURLWithPath: picture))
    var said = ""
    for line in [
      "ls columns id,name,stock",
      "new name='전신 패딩 판매합니다.' description='전신 패딩 팝니다. 개당 가격 5만. 네고 사절' price=50000 currency=KRW stock=2 images=\(picture) yes",
      "ls columns id,name,stock", "show 1944 name price as json", "patch 1944 stock=3 yes", "rm 1944 yes",
    ] {
      said += "> " + line + "\n" + (await sandbox.run(line))
    }
    said = said.replacing(server.url.absoluteString, with: "http://replayed")
      .replacing("127.0.0.1:\(server.port)", with: "HOST:PORT").replacing("127.0.0.1", with: "HOST")
      .replacing(sandbox.folder, with: "HOME")
    try Golden("replayed").check(said)
  }
}
