import CommandLanguage
import Foundation
import Shell
import ShellRuntime
import Testing

@testable import Commands

/// The key counts of common tasks in the article Benchmarks equal those of the lines below the table, and the shell's
/// lines are valid.
@Suite struct KeyCountTests {
  private static let kinds = ["before", "now", "psql", "tools"]

  private static func article() throws -> String {
    let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let text = try String(
      contentsOf: top.appending(path: "Sources/Benchmarks/Benchmarks.docc/Benchmarks.md"), encoding: .utf8)
    let start = try #require(text.firstRange(of: "## Keys for five common jobs"))
    return String(text[start.upperBound...])
  }

  /// Returns the lines of every block, with repeated lines once and their count.
  private static func blocks() throws -> [(kind: String, lines: [(times: Int, keys: String)])] {
    try article().matches(of: /```(\w+)\n([^`]*|(?s:.*?))```/).map { block in
      let lines = block.2.split(separator: "\n").map { line in
        guard let repeated = line.firstMatch(of: /^(\d+) x (.*)$/) else { return (times: 1, keys: String(line)) }
        return (times: Int(repeated.1) ?? 1, keys: String(repeated.2))
      }
      return (kind: String(block.1), lines: lines)
    }
  }

  @Test func tableEqualsTheCountedKeys() throws {
    let blocks = try Self.blocks()
    #expect(blocks.map(\.kind) == (0..<5).flatMap { _ in Self.kinds })
    let counted = blocks.map { block in
      let lines = block.lines.reduce(0) { $0 + $1.times * $1.keys.count { $0 == "⏎" } }
      return "\(lines) / \(block.lines.reduce(0) { $0 + $1.times * $1.keys.count })"
    }
    let told = try Self.article().split(separator: "\n").filter { $0.hasPrefix("|") }.dropFirst(2).flatMap { row in
      row.split(separator: "|").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(told == counted)
  }

  @Test func linesAreValid() throws {
    for block in try Self.blocks() where block.kind == "now" {
      let line = try #require(block.lines.first?.keys)
      let invocation = try #require(try AllCommands.grammar.read(line.replacing("⏎", with: "")).first)
      _ = try AllCommands.registry.command(invocation)
    }
  }
}
