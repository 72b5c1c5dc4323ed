import Catalog
import EmbeddedMarket
import Foundation
import MarketAPI
import ServerTesting
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing
import Text

/// Every operation in every edition, against the embedded server and captured responses of the real ones.
///
/// All eight runs have the same transcript of commands and the same product, except for what an edition doesn't
/// support.
@Suite(.timeLimit(Trial.limit)) struct EditionMatrixTests {
  enum Answers: CaseIterable, Sendable { case embedded, captured }

  /// The commands with their exit codes.
  static let commands: [(line: String, code: @Sendable (Edition) -> Int)] = [
    ("health", { Dialect($0).supports(.checkHealth) ? 0 : 2 }),
    ("ls page 1 columns id", { _ in 0 }),
    ("search 없는상품", { _ in 0 }),
    (
      "new name='판 시험 상품' description='네 판에 같은 상품' price=12000 discount=1000 currency=KRW stock=3 images=~/cup.png yes",
      { _ in 0 }
    ),
    ("show _ as json", { _ in 0 }),
    ("patch _ price=15000 stock+=2 yes", { _ in 0 }),
    ("show _ as json", { _ in 0 }),
    ("patch _ thumbnail=9 yes", { _ in 2 }),
    ("undo yes", { _ in 0 }),
    ("show _ as json", { _ in 0 }),
    ("patch _ images=~/cup.png,~/cup.png yes", { Dialect($0).supports(.replacePictures) ? 0 : 2 }),
    ("rm _ yes", { _ in 0 }),
    ("show " + madeID, { _ in 1 }),
  ]
  static let madeID = "$MADE"

  @Test(arguments: Edition.allCases, Answers.allCases)
  func lifeOfAProductIsTheSameInEveryEdition(_ edition: Edition, _ answers: Answers) async throws {
    let expected = EditionMatrixTests.reference.map { EditionMatrixTests.without($0, edition) }
    var options = SessionOptions()
    options.edition = edition
    let environment = [
      "OPENMARKET_IDENTIFIER": EmbeddedMarket.demoVendor.identifier, "OPENMARKET_SECRET": "open-the-market",
    ]
    let said: [String]
    switch answers {
    case .embedded:
      let served = try #require(ServedEdition(rawValue: edition.rawValue))
      said = try await lived(edition, options, environment, served)
    case .captured:
      let server = try await ReplayedEdition(edition).start()
      options.url = server.url.absoluteString
      said = try await lived(edition, options, environment, .open)
      let writes = server.requests.map { String($0.prefix { $0 != "\r\n" }.dropLast(" HTTP/1.1".count)) }
      #expect(writes.filter { !$0.hasPrefix("GET ") } == EditionMatrixTests.writes(edition))
      await server.stop()
    }
    #expect(said == expected)
  }

  /// A condition finds the same products in every edition whatever its lists omit, and values that no response has are
  /// reported.
  @Test(arguments: Edition.allCases) func conditionFindsTheSameProductsInEveryEdition(_ edition: Edition) async throws {
    var options = SessionOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    try await Sandbox.with(options: options, edition: served) { sandbox in
      for line in ["ls where description~'카메라' as jsonl", "show where description~'카메라' and price>0 as jsonl"] {
        let said = await sandbox.run(line)
        #expect(Set(said.matches(of: #/\{"id":(\d+),"name"/#).map(\.1)) == ["12", "106"], "\(said)")
      }
      let said = await sandbox.run("ls where vendor~'구름' columns id as csv")
      if edition.capabilities.ownership == .vendors {
        #expect(said.contains("\n138\n"), "\(said)")
      } else {
        #expect(
          said.contains("! note: This edition does not provide vendor; it is empty for every product.\n"), "\(said)")
      }
    }
  }

  /// Returns the lines of JSON that `show` printed, with values that must differ replaced.
  private func lived(
    _ edition: Edition, _ options: SessionOptions, _ environment: [String: String], _ served: ServedEdition
  ) async throws -> [String] {
    var lines: [String] = []
    try await Sandbox.with(options: options, environment: environment, edition: served) { sandbox in
      try sandbox.writePictures()
      var made = 0
      for (line, code) in EditionMatrixTests.commands {
        made = await sandbox.shell.session.last.product?.id ?? made
        let said = await sandbox.run(line.replacing(EditionMatrixTests.madeID, with: "\(made)"))
        let ended = code(edition) == 0 ? !said.contains("\n= ") : said.hasSuffix("= \(code(edition))\n")
        #expect(ended, "\(line): \(said)")
        lines += said.split(separator: "\n").filter { $0.hasPrefix("{") }.map { EditionMatrixTests.plain(String($0)) }
      }
    }
    return lines
  }

  /// Returns the expected writes.
  ///
  /// Each is sent once, and a deletion has the requests of the edition.
  private static func writes(_ edition: Edition) -> [String] {
    switch edition {
    case .camp1, .camp2: ["POST /item"] + Array(repeating: "PATCH /item/331", count: 3) + ["DELETE /item/331"]
    case .training:
      ["POST /api/products", "PATCH /api/products/522", "PATCH /api/products/522", "POST /api/products/522/secret"]
        + ["DELETE /api/products/522/827c04d7-7838-11ec-abfa-55347a6e30e7"]
    case .open:
      ["POST /api/products", "PATCH /api/products/1944", "PATCH /api/products/1944"]
        + ["POST /api/products/1944/archived"]
        + ["DELETE /api/products/MTYyNHw4M2I2YWNiNC04NTc4LTExZWQtYmUxMC03M2U3MGRlNWY4YjA="]
    }
  }

  /// Returns the line without ids, names, times and addresses, which depend on the server.
  private static func plain(_ line: String) -> String {
    line.replacing(#/"id":\d+/#, with: "\"id\":1")
      .replacing(#/"vendor":"[^"]*","vendor_id":\d+/#, with: "\"vendor\":\"V\",\"vendor_id\":1")
      .replacing(#/"(TIME|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?)"/#, with: "\"T\"").replacing(#/"http[^"]*"/#, with: "\"U\"")
  }

  /// Returns the line without the fields that the edition doesn't support.
  private static func without(_ line: String, _ edition: Edition) -> String {
    guard Dialect(edition).supports(.replacePictures) else { return line }
    return line.replacing("\"vendor\":\"V\",\"vendor_id\":1", with: "\"vendor\":null,\"vendor_id\":null")
      .replacing("\"modified\":\"T\"", with: "\"modified\":null").replacing(
        "{\"id\":1,\"url\"", with: "{\"id\":null,\"url\"")
  }

  private static let reference: [String] = [(12000, 3), (15000, 5), (12000, 3)].map { price, stock in
    "{\"id\":1,\"name\":\"판 시험 상품\",\"description\":\"네 판에 같은 상품\",\"price\":\(price),\"discount\":1000,"
      + "\"sale\":\(price - 1000),\"currency\":\"KRW\",\"stock\":\(stock),\"vendor\":\"V\",\"vendor_id\":1,"
      + "\"created\":\"T\",\"modified\":\"T\",\"thumbnail\":\"U\","
      + "\"images\":[{\"id\":1,\"url\":\"U\",\"thumbnail\":\"U\"}]}"
  }
}
