import Commands
import EmbeddedMarket
import Foundation
import MarketOperations
import Networking
import Platform
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// The output of `swift` is a program that compiles, contains no secret, and has the effect of the command.
@Suite(.timeLimit(Trial.limit)) struct SwiftCodeGeneratorTests {
  private static let lines = [
    "swift show 42", "swift ls size 2", "swift get /api/products page_no=1 x='a \"b\" \\\\ 한글'",
    "swift patch 12 price=3500 outliers",
    "swift rm 12", "swift raw POST /a '{\"a\": \"it is\"}' accept:text/html",
    "swift new name=\"It's \\\"A\\\" 🚀\" description='two lines and more' price=3500 currency=KRW stock=2 images=~/cup.png",
  ]

  @Test func generatedSwiftTypechecks() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      for (number, line) in Self.lines.enumerated() {
        let program = await sandbox.exactly(line)
        #expect(program.hasPrefix("import Foundation\n"), "\(line)\n\(program)")
        #expect(!program.contains(EmbeddedMarket.demoVendor.secret))
        // A body is a value that is encoded, not JSON in a text.
        let hasBody = ["swift patch", "swift rm", "swift raw", "swift new"].contains(where: line.hasPrefix)
        #expect(program.contains("Values: Encodable") == hasBody && !program.contains("{\\\""), "\(line)\n\(program)")
        let path = sandbox.folder + "/program\(number).swift"
        try program.write(toFile: path, atomically: true, encoding: .utf8)
        let said = try await Self.run("swiftc -swift-version 6 -typecheck \(path)", sandbox)
        #expect(said == "", "\(line)\n\(program)\n\(said)")
      }
    }
  }

  /// Parallel requests have one order, and each response is decoded with types of its own, whichever comes first.
  @Test func typesAreThoseOfTheirResponse() async throws {
    var programs: Set<String> = []
    for delayed in ["reverse", "weather", "forecast", ""] {
      try await Sandbox.with(between: { inner, _ in DelayingTransport(inner: inner, last: delayed) }) { sandbox in
        let program = await sandbox.exactly("swift weather 37.57 126.98")
        let origin = sandbox.url.absoluteString
        programs.insert(program.replacing(origin, with: "http://market"))
        for (path, member) in [("/forecast", "list"), ("/weather", "coord")] {
          let block = try #require(
            program.split(separator: "\n\n").first { $0.contains("// GET") && $0.contains(path + "?") })
          let root = try #require(block.firstMatch(of: /decode\((\[?\w+\]?)\.self/)?.1)
          let type = try #require(
            program.split(separator: "\n\n").first { $0.hasPrefix("struct \(root): Codable") }, "\(program)")
          #expect(type.contains("let \(member): "), "\(path): \(type)")
        }
        let path = sandbox.folder + "/weather.swift"
        try program.write(toFile: path, atomically: true, encoding: .utf8)
        guard delayed.isEmpty else { return }
        #expect(try await Self.run("swiftc -swift-version 6 -typecheck \(path)", sandbox) == "")
      }
    }
    #expect(programs.count == 1, "\(programs)")
  }

  /// A transport that holds one kind of response back.
  private struct DelayingTransport: Transport {
    let inner: any Transport
    let last: String

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      let response = try await inner.send(request, to: base, with: options)
      if request.path.last == last { try await Task.sleep(for: .milliseconds(50)) }
      return response
    }
  }

  /// Run against the market, it prints the product with exact prices.
  @Test func generatedSwiftPrintsExactPrices() async throws {
    try await Sandbox.with { sandbox in
      let program = await sandbox.exactly("swift show 42")
      #expect(program.contains("let price: Decimal") && program.contains("struct ImageItem: Codable"))
      let path = sandbox.folder + "/main.swift"
      try program.write(toFile: path, atomically: true, encoding: .utf8)
      let product = await sandbox.exactly("show 42 name price as csv").split(separator: "\n")[1].split(separator: ",")
      let said = try await Self.run("swiftc -o \(sandbox.folder)/program \(path) && \(sandbox.folder)/program", sandbox)
      #expect(said.contains("id: 42") && said.contains(product[0]) && said.contains("price: \(product[1])"), "\(said)")
    }
  }

  @Test(arguments: [
    ("[{\"id\":1,\"a\":null},{\"id\":2,\"a\":\"x\",\"b\":1.5}]", ["let id: Int", "let a: String?", "let b: Double?"]),
    (
      "{\"price\":1,\"discounted_price\":null,\"vendor_id\":null,\"created_at\":\"2022\"}",
      ["let price: Decimal", "let discountedPrice: Decimal?", "let vendorId: Int?", "case createdAt = \"created_at\""]
    ),
    (
      "{\"pages\":[{\"id\":1},{\"id\":2,\"images\":[{\"url\":\"x\"}]}],\"class\":true,\"2x\":1,\"mixed\":[1,\"a\"]}",
      [
        "let pages: [Page]", "let images: [ImageItem]?", "let `class`: Bool", "case _2x = \"2x\"",
        "// \"mixed\" has several types and is omitted.",
      ]
    ),
    ("{\"\":1,\"-\":\"a\"}", ["let member: Int", "let member_: String", "case member = \"\"", "case member_ = \"-\""]),
  ])
  func generatedTypesMatchTheResponse(json: String, lines: [String]) throws {
    let types = try #require(SwiftTypes(try JSON(parsing: Data(json.utf8)), named: "Answer"))
    for line in lines { #expect(types.text.contains(line), "\(types.text)") }
  }

  /// Runs a command line on a thread of its own, because a compiler would block a thread of the pool for a minute.
  static func run(_ line: String, _ sandbox: Sandbox) async throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    return await withCheckedContinuation { done in
      DispatchQueue.global().async {
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        done.resume(returning: String(decoding: data, as: UTF8.self))
      }
    }
  }
}
