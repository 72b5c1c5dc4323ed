import Foundation
import Glibc
import MarketAPI
import TerminalTesting
import TestSupport
import Testing

/// Tests of the scripts in `Examples`: each is run by its own command, in `open` twice in the same home, and once in another
/// edition; with OPENMARKET_LONG_TESTS=1 twice in each that a line `# Editions: training, open` names.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ExampleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
  private static let names =
    ((try? FileManager.default.contentsOfDirectory(atPath: root.path + "/Examples")) ?? [])
    .filter { $0.hasSuffix(".market") || $0.hasSuffix(".sh") }.sorted()

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appending(path: "Examples/" + name), encoding: .utf8)
  }

  /// The scripts with their editions; a shell script runs in `open`.
  private static let runs: [(String, Edition)] = names.enumerated().flatMap { index, name -> [(String, Edition)] in
    if name.hasSuffix(".sh") { return [(name, .open)] }
    let named = (try? text(name))?.firstMatch(of: /\n# Editions: ([a-z0-9, ]+)/)?.1
    let words = named?.split { $0 == "," || $0 == " " }
    let editions = Edition.allCases.filter { words?.contains(Substring($0.rawValue)) ?? true }
    if Trial.isLong { return editions.map { (name, $0) } }
    let others = editions.filter { $0 != .open }
    return [(name, .open), (name, others[index % others.count])]
  }

  @Test(arguments: ExampleTests.runs) func exampleRunsByItsOwnCommand(_ name: String, _ edition: Edition) throws {
    let home = try TemporaryHome()
    try FileManager.default.createDirectory(atPath: home.path + "/bin", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/bin/openmarket", withDestinationPath: builtProgram("openmarket"))
    let command = try #require(try Self.text(name).firstMatch(of: /\n# Run: HOME=\$\(mktemp -d\) (.+)\n/)?.1)
    let line = name.hasSuffix(".sh") ? String(command) : command + " --api " + edition.rawValue
    let prices = "openmarket --api \(edition.rawValue) ls all columns id,name,price,stock as csv"
    let before = name.hasSuffix(".sh") ? "" : try run(prices, in: home).output
    for time in 1...(edition == .open ? 2 : Trial.count(1, long: 2)) {
      let (code, output) = try run(line, in: home)
      #expect(code == 0, "\(name), time \(time):\n\(output)")
    }
    guard !name.hasSuffix(".sh") else { return }
    // Nothing is left behind in the market.
    #expect(try run(prices, in: home).output == before, "\(name) changed the market")
  }

  /// The second line names the script itself, and the README of the folder lists every script.
  @Test func everyExampleIsDescribed() throws {
    let readme = try Self.text("README.md")
    #expect(Self.names.count >= 10)
    for name in Self.names {
      let lines = try Self.text(name).split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#!") }
      #expect(lines[0].hasPrefix("# Shows "), "\(name)")
      #expect(lines[1].hasPrefix("# Run: HOME=$(mktemp -d) ") && lines[1].contains("Examples/" + name), "\(name)")
      #expect(readme.contains("[\(name)](\(name))"), "\(name)")
    }
    for link in readme.matches(of: /\]\(([^)]+)\)/) {
      let isThere = FileManager.default.fileExists(atPath: Self.root.path + "/Examples/" + link.1)
      #expect(isThere, "\(link.1)")
    }
  }

  private func run(_ command: String, in home: TemporaryHome) throws -> (code: Int32, output: String) {
    let result = try PipedProgram(
      ["-c", "cd \"$0\" && { \(command); } 2>&1", Self.root.path],
      environment: ["HOME": home.path, "PATH": home.path + "/bin:/usr/bin:/bin"], program: "/bin/sh"
    ).result()
    return (result.code, result.out)
  }
}
