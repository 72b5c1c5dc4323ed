import Foundation
import Pacing
import TerminalTesting
import Testing

/// The served editions are what Protocol says, and not only what our own client makes of it: `curl` alone makes, edits
/// and deletes a product on each. The scripts stand in `Golden/curl`, beside everything they print.
@Suite(.waiting, .timeLimit(Trial.limit)) struct CurlTests {
  @Test(arguments: ["camp1", "camp2", "training", "open"]) func theLifeOfAProduct(_ edition: String) throws {
    let home = try TemporaryHome()
    let market = try PipedProgram(
      ["serve", "--port", "0", "--api", edition, "--data", home.path + "/market"])
    let line = try market.output { $0.hasSuffix("\n") }
    let url = try #require(line.firstMatch(of: #/http://127\.0\.0\.1:\d+/#)).output
    let picture = try home.file("image.png", noisePNG(width: 24, height: 24))
    let said = try run(
      "curl/" + edition,
      [
        "MARKET": String(url), "PICTURE": picture, "IDENTIFIER": "4c1f8d60-4e9a-11ed-a200-1b7c9f2e5d31",
        "SECRET": "open-the-market",
      ])
    try Golden("curl/" + edition).check(plain(said, url))
  }

  private func run(_ name: String, _ values: [String: String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-eu", script(name)]
    process.environment = values.merging(["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]) { $1 }
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self) + "= \(process.terminationStatus)\n"
  }

  private func plain(_ text: String, _ url: Substring) -> String {
    text.replacing(url, with: "http://market").replacing(#/[0-9a-f]{32}/#, with: "HEX")
      .replacing(#/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/#, with: "UUID")
      .replacing(#/\d{4}-\d\d-\d\dT00:00:00/#, with: "DAY")
      .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:(\d\d)\.\1/#, with: "SECOND").replacing(#/\/\d{8}\//#, with: "/DAY/")
      .replacing(#/"registration_date":\d+\.\d+/#, with: "\"registration_date\":SECONDS")
  }

  private func script(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(name).sh").path
  }
}
