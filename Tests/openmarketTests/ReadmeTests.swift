import Foundation
import Glibc
import Pacing
import TerminalTesting
import Testing

/// The lines in README work: command lines are run by a shell in order, in one home and one folder, and lines for the
/// prompt are parsed.
@Suite(.waiting, .timeLimit(Trial.limit)) struct ReadmeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  /// The command lines without comments, and without the prompt in those of a session.
  private let lines: [String]

  init() throws {
    let text = try String(contentsOf: ReadmeTests.root.appending(path: "README.md"), encoding: .utf8)
    lines = text.split(separator: "\n").filter { $0.hasPrefix("    ") }.map { line in
      String(line.dropFirst(4)).replacing(#/ +# .*$/#, with: "")
    }
  }

  @Test func theCommandLinesRun() throws {
    let home = try TemporaryHome()
    let folder = home.path + "/work"
    try FileManager.default.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/bin/openmarket", withDestinationPath: builtProgram("openmarket"))
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/Examples", withDestinationPath: ReadmeTests.root.path + "/Examples")
    let commands = lines.filter { $0.hasPrefix("openmarket ") && !$0.hasPrefix("openmarket serve") }
    #expect(commands.count >= 12)
    for command in commands {
      let (said, code) = try run(command, in: folder, home: home.path)
      #expect(code == 0, "\(command)\n\(said)")
    }
  }

  @Test func theServerForAClassServes() throws {
    let commands = lines.filter { $0.hasPrefix("openmarket serve") }
    #expect(commands.count == 1)
    for command in commands {
      let home = try TemporaryHome()
      let words = command.split(separator: " ").dropFirst().map(String.init)
      let market = try PipedProgram(words + ["--port", "0", "--data", home.path + "/market"])
      let said = try market.output { $0.contains("\ncurl ") && $0.hasSuffix("\n") }
      #expect(said.split(separator: "\n").filter { $0.hasPrefix("vendor_id=") }.count == 31)
      kill(market.processID, SIGTERM)
      _ = try market.result()
    }
  }

  /// Lines of a session and of batches, which need products that don't exist on another day.
  @Test func theLinesForThePromptAreUnderstood() throws {
    let typed = lines.filter { $0.hasPrefix("demo@15> ") }.map { String($0.dropFirst("demo@15> ".count)) }
    let batches = lines.filter { line in ["patch ", "undo ", "plan ", "snapshot "].contains { line.hasPrefix($0) } }
    #expect(typed.count == 5 && batches.count >= 4)
    let script = (typed + batches.filter { !$0.contains(" 먹색 ") }).map { $0 + "\n" }.joined()
    let home = try TemporaryHome()
    let result = try openmarket(["--home", home.path, "--check"], input: script)
    #expect(result.code == 0, "\(result.err)")
  }

  /// The files that README links to exist.
  @Test func theLinksLeadSomewhere() throws {
    let text = try String(contentsOf: ReadmeTests.root.appending(path: "README.md"), encoding: .utf8)
    let links = text.matches(of: #/\]\(([^)#]+)\)/#).map { String($0.1) }.filter { !$0.hasPrefix("http") }
    #expect(links.count >= 8)
    for link in links {
      #expect(FileManager.default.fileExists(atPath: ReadmeTests.root.appending(path: link).path), "\(link)")
    }
  }

  private func run(_ line: String, in folder: String, home: String) throws -> (said: String, code: Int32) {
    // Without jq, the part of the line before it is run.
    let hasFilter = FileManager.default.fileExists(atPath: "/usr/bin/jq")
    let command = hasFilter ? line : line.replacing(#/ \| jq .*$/#, with: "")
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = ["PATH": folder + "/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": home]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
  }
}
