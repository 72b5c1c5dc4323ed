import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

@testable import openmarket

/// Tests of README: its commands are run and what they print is compared, line by line.
///
/// With `OPENMARKET_RECORD=1` README gets the output of today, and the test fails so that the changes are reviewed.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ReadmeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  private let text: String

  init() throws {
    text = try String(contentsOf: ReadmeTests.root.appending(path: "README.md"), encoding: .utf8)
  }

  /// The lines of the blocks of code in a language.
  private func blocks(_ language: String) -> [[String]] {
    text.components(separatedBy: "\n```").enumerated().filter { !$0.offset.isMultiple(of: 2) }.compactMap { block in
      let lines = block.element.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      return lines.first == language ? Array(lines.dropFirst()) : nil
    }
  }

  /// README is put together again with the output of every command, and compared as a whole.
  @Test func commandsPrintWhatREADMESays() throws {
    let session = try ReadmeSession(root: ReadmeTests.root)
    var parts = text.components(separatedBy: "\n```")
    var commands = 0
    for index in parts.indices where parts[index].hasPrefix("console\n") {
      let block = parts[index].split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      // The session gets README without its output, so no line can be copied from there.
      let printed = try session.printed(block.dropFirst().map(ReadmeTests.isTyped).map { $0 ?? "" })
      commands += printed.count { $0.hasPrefix("$ ") || $0.hasPrefix("demo@15> ") }
      parts[index] = (["console"] + printed).joined(separator: "\n")
    }
    try session.end()
    #expect(commands >= 9)
    try Golden("README.md", in: ReadmeTests.root.path).check(parts.joined(separator: "\n```"))
  }

  /// Returns the line if it is typed or has an answer to a question, or `nil` if all of it is printed.
  private static func isTyped(_ line: String) -> String? {
    line.hasPrefix("$ ") || line.hasPrefix("demo@15> ") || line.contains(" [y/N") ? line : nil
  }

  /// Commands that install, build or serve are not run as they are; each is one of these.
  @Test func commandsThatAreNotRunAreListed() throws {
    let lines = blocks("sh").joined().filter { !$0.isEmpty }.map { $0.replacing(#/ +# .*$/#, with: "") }
    let test = "bash .ci/setup && swift test"
    #expect(
      lines == [
        "bash .ci/setup && swift run openmarket", test, "bash .ci/setup && .ci/package",
        "sudo apt install ./.build/package/openmarket_\(Version.number)_amd64.deb",
        "openmarket serve --host 0.0.0.0 --vendors 30", "docker build -t openmarket -f .devcontainer/Dockerfile .",
        #"docker run -it --rm -p 8080:8080 -v "$PWD":/clone -w /clone openmarket \"#,
        #"  swift run openmarket serve \"#,
        #"  --host 0.0.0.0 --port 8080 --public-url "http://$(scutil --get LocalHostName).local:8080" --data .build/class"#,
        "openmarket --url https://dummyjson.com --api Examples/markets/dummyjson.toml -c 'ls where stock<5'",
      ])
    let check = try String(contentsOf: ReadmeTests.root.appending(path: ".ci/run"), encoding: .utf8)
    #expect(check.contains("{ \(test); }"), ".ci/run runs another test command")
  }

  @Test func classServerAnswers() throws {
    let commands = blocks("sh").joined().filter { $0.hasPrefix("openmarket serve") }
    for command in commands {
      let home = try TemporaryHome()
      let words = command.replacing(#/ +# .*$/#, with: "").split(separator: " ").dropFirst().map(String.init)
      let market = try PipedProgram(words + ["--port", "0", "--data", home.path + "/market"])
      let output = try market.output { $0.contains("\ncurl ") && $0.hasSuffix("\n") }
      #expect(output.split(separator: "\n").filter { $0.hasPrefix("vendor_id=") }.count == 31)
      kill(market.processID, SIGTERM)
      _ = try market.result()
    }
  }

  /// The server in a container, of which only the port is known outside, answers to what it prints.
  @Test func containerServerAnswers() throws {
    let line = try #require(blocks("sh").joined().first { $0.contains("--public-url") })
    let home = try TemporaryHome()
    let words = line.replacing("\"http://$(scutil --get LocalHostName).local:8080\"", with: "http://teacher.local:8080")
      .replacing(".build/class", with: home.path + "/class").replacing("--port 8080", with: "--port 0")
      .split(separator: " ").map(String.init)
    let market = try PipedProgram(["serve"] + words)
    let output = try market.output { $0.contains("\ncurl ") && $0.hasSuffix("\n") }
    #expect(output.hasPrefix("openmarket serving open at http://teacher.local:8080\n"), "\(output)")
    #expect(output.contains("\nteacher http://teacher.local:8080/?key="))
    let port = try #require(output.firstMatch(of: #/also at http:\/\/[^:]+:(\d+)/#)?.1)
    let answer = try PipedProgram(
      ["-fsS", "-H", "Host: teacher.local:8080", "http://127.0.0.1:\(port)/api/products/3"], program: "/usr/bin/curl")
    #expect(try answer.result().out.contains("\"thumbnail\":\"http://teacher.local:8080/media"))
    kill(market.processID, SIGTERM)
    _ = try market.result()
  }

  /// Lines in the text between the blocks are understood by the program.
  @Test func inlineLinesAreValid() throws {
    let prose = text.components(separatedBy: "\n```").enumerated().filter { $0.offset.isMultiple(of: 2) }
      .map(\.element).joined()
    let spans = prose.matches(of: /`([a-z]+ [^`]+)`/).map { String($0.1) }
    let lines = spans.filter { line in
      !["openmarket", "sudo", "swift", "man", "bash"].contains { line.hasPrefix($0 + " ") } && !line.contains("TOOL")
    }
    #expect(lines.count >= 4)
    let home = try TemporaryHome()
    for line in lines {
      let result = try openmarket(["--home", home.path, "--check", "-c", line])
      #expect(result.code == 0, "\(line)\n\(result.err)")
    }
    let helpPages = try openmarket(["--help"]).out + openmarket(["serve", "--help"]).out
    for option in prose.matches(of: /`(?:openmarket [^`]*)?(--[a-z-]+)[^`]*`/).map({ String($0.1) }) {
      #expect(helpPages.contains(option), "\(option)")
    }
  }

  @Test func readmeHasAtMost1200Words() {
    let count = text.split(whereSeparator: \.isWhitespace).count
    #expect(count <= 1200, "\(count) words")
  }

  /// The newest version of the changelog is the program's.
  @Test func changelogHasTheCurrentVersion() throws {
    let changelog = try String(
      contentsOf: ReadmeTests.root.appending(path: "Sources/openmarket/openmarket.docc/Changelog.md"), encoding: .utf8)
    let versions = changelog.matches(of: /\n## ([0-9.]+)/).map { String($0.1) }
    #expect(versions.first == Version.number)
  }
}
