import EmbeddedMarket
import Foundation
import Networking
import Shell
import ShellTesting
import TestSupport
import Testing

/// `log as har`: an archive that conforms to HAR 1.2 and contains no secret.
@Suite(.timeLimit(Trial.limit)) struct HARDocumentTests {
  @Test func archiveConformsToHAR12() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      for line in [
        "new name='우유병 텀블러' description='보온이 잘 되는 텀블러입니다' price=3500 currency=KRW images=~/cup.png yes",
        "patch _ stock=5 yes", "rm _ yes", "raw POST /api/products '{\"a\":1}' yes",
        "raw DELETE /api/products?x=1 yes",
      ] {
        _ = await sandbox.run(line)
      }
      let text = await sandbox.exactly("log as har")
      let archive = try JSON(parsing: Data(text.utf8))
      #expect(HARChecker().problems(of: archive) == [])
      let entries = archive.object?["log"]?.object?["entries"]?.array ?? []
      let lines = entries.compactMap { $0.object?["request"]?.object }.map { request in
        let url = (try? request.string("url")) ?? ""
        return "\((try? request.string("method")) ?? "") \(url.dropFirst(sandbox.url.absoluteString.count))"
      }
      #expect(
        lines == [
          "POST /api/products", "PATCH /api/products/142", "POST /api/products/142/archived",
          "DELETE /api/products/•••", "POST /api/products", "DELETE /api/products?x=1",
        ])
      #expect(!text.contains(EmbeddedMarket.demoVendor.secret) && !text.contains(EmbeddedMarket.demoVendor.identifier))
      #expect(text.contains("\"startedDateTime\": \"20"))
      _ = await sandbox.run("log 2 as har to ~/two.har")
      let saved = try JSON(parsing: FileManager.default.contents(atPath: sandbox.folder + "/two.har") ?? Data())
      #expect(HARChecker().problems(of: saved) == [])
      #expect(saved.object?["log"]?.object?["entries"]?.array?.count == 2)
      _ = await sandbox.run("log where action=raw to ~/raw.har")
      let raw = try JSON(parsing: FileManager.default.contents(atPath: sandbox.folder + "/raw.har") ?? Data())
      #expect(raw.object?["log"]?.object?["entries"]?.array?.count == 2)
    }
  }

  /// An archive of reads has the fields that were sent, also those that the transport added, with secrets masked.
  @Test func archiveHasTheSentHeaderFields() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("get /api/products/138 x-trace:1 auth")
      let text = await sandbox.exactly("calls 1 as har")
      let archive = try JSON(parsing: Data(text.utf8))
      #expect(HARChecker().problems(of: archive) == [])
      let entry = archive.object?["log"]?.object?["entries"]?.array?.first?.object
      let fields = (entry?["request"]?.object?["headers"]?.array ?? []).compactMap(\.object).map {
        "\((try? $0.string("name")) ?? ""): \((try? $0.string("value")) ?? "")".lowercased()
      }
      for field in [
        "host: 127.0.0.1:\(sandbox.url.port ?? 0)", "x-trace: 1", "identifier: •••", "user-agent: openmarket/test",
        "accept-encoding: gzip, deflate", "cache-control: no-cache",
      ] {
        #expect(fields.count { $0 == field } == 1, "\(field) in \(fields)")
      }
      #expect(!text.contains(EmbeddedMarket.demoVendor.identifier) && !text.contains(EmbeddedMarket.demoVendor.secret))
      // The fields of the transport are no part of the request that is sent again.
      let curl = await sandbox.exactly("calls curl 1")
      #expect(!curl.lowercased().contains("user-agent"), "\(curl)")
    }
  }

  /// The checker detects faults.
  @Test(arguments: [
    ("\"version\":\"1.2\"", "\"version\":1.2", "log.version"),
    ("\"time\":12.000", "\"time\":11.000", "log.entries[0].time"), ("\"cache\":{},", "", "log.entries[0].cache"),
    ("\"wait\":10.000", "\"wait\":-1", "log.entries[0].timings.wait"),
    ("2026-01-02T03:04:05.678Z", "2026-01-02 03:04:05", "log.entries[0].startedDateTime"),
    ("\"status\":200", "\"status\":\"200\"", "log.entries[0].response.status"),
    ("\"headers\":[]", "\"headers\":[{\"name\":\"a\"}]", "log.entries[0].request.headers[0].value"),
  ])
  func checkerDetectsFaults(_ right: String, _ wrong: String, _ place: String) throws {
    let good =
      #"{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[{"startedDateTime":"2026-01-02T03:04:05.678Z","time":12.000,"request":{"method":"GET","url":"http://a/","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"content":{"size":0,"mimeType":"a/b"},"redirectURL":"","headersSize":-1,"bodySize":0},"cache":{},"timings":{"blocked":1.000,"dns":-1,"connect":-1,"ssl":-1,"send":1.000,"wait":10.000,"receive":0.000}}]}}"#
    #expect(HARChecker().problems(of: try JSON(parsing: Data(good.utf8))) == [])
    let bad = good.replacing(right, with: wrong, maxReplacements: 1)
    #expect(bad != good)
    #expect(HARChecker().problems(of: try JSON(parsing: Data(bad.utf8))).contains(place))
  }
}
