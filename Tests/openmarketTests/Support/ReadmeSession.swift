import Foundation
import Glibc
import TerminalTesting

/// The machine on which the commands of README are run: one home and one folder for all of them, and a terminal for
/// each command.
///
/// The folder has `Examples`, and a server for the blocks that name `localhost:8080`; it listens on another port,
/// which is replaced in the commands and in their output. Times in the output are replaced by one that does not change.
final class ReadmeSession {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static let columns = 80
  private static let port = "localhost:8080"
  private static let prompt = "demo@15>"

  private let home: TemporaryHome
  private let root: URL
  private var server: PipedProgram?
  private var address = ReadmeSession.port

  init(root: URL) throws {
    self.root = root
    home = try TemporaryHome()
    try home.markGreeted()
    try FileManager.default.createDirectory(
      atPath: home.path + "/home/configuration", withIntermediateDirectories: true)
    _ = try home.file("home/configuration/settings.market", "set tips off\n")
    let bin = home.path + "/work/bin"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: bin + "/openmarket", withDestinationPath: builtProgram("openmarket"))
    try FileManager.default.createSymbolicLink(
      atPath: home.path + "/work/Examples", withDestinationPath: root.path + "/Examples")
  }

  /// Stops the server.
  func end() throws {
    guard let server else { return }
    kill(server.processID, SIGTERM)
    _ = try server.result()
  }

  /// Returns a block with what its commands print now in the place of what README says.
  ///
  /// A line after `$ ` is run by a shell; after `$ openmarket` alone, the lines after the prompt are typed there.
  func printed(_ block: [String]) throws -> [String] {
    if block.contains(where: { $0.contains(Self.port) }), server == nil { try serve() }
    if block.first == "$ openmarket" { return try conversation(block) }
    var lines: [String] = []
    for line in block where line.hasPrefix("$ ") {
      lines.append(line)
      lines += try run(String(line.dropFirst(2)))
    }
    return lines
  }

  private func serve() throws {
    let server = try PipedProgram(["serve", "--port", "0", "--data", home.path + "/served"])
    let output = try server.output { $0.contains("\ncurl ") && $0.hasSuffix("\n") }
    guard let port = output.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)/)?.1 else {
      throw Failure(description: "no address in \(output)")
    }
    address = "localhost:" + port
    self.server = server
  }

  private func start(_ command: String) throws -> TerminalProgram {
    let line = "cd \"$HOME/work\" && \(command.replacing(Self.port, with: address))"
    return try TerminalProgram(
      "/bin/sh", ["-c", line],
      environment: [
        "HOME": home.path, "OPENMARKET_HOME": home.path + "/home", "PATH": home.path + "/work/bin:/usr/bin:/bin",
      ], columns: Self.columns, rows: 200)
  }

  private func run(_ command: String) throws -> [String] {
    let program = try start(command)
    let code = try program.exitCode()
    let text = program.screen.text.replacing(address, with: Self.port)
      .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "2026-11-24T09:00:00Z")
      .replacing(/\d{4}-\d\d-\d\d \d\d:\d\d(?!:)/, with: "2026-11-24 09:00")
    guard code == 0 else { throw Failure(description: "\(command) ended with \(code)\n\(text)") }
    return text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private func conversation(_ block: [String]) throws -> [String] {
    let program = try start("exec openmarket")
    try program.wait("the prompt") { $0.screen.row == Self.prompt && $0.readsKeys }
    for step in block {
      let answer = step.wholeMatch(of: /.+\? \[y\/N.*\] (\w+)/)?.1
      guard let end = answer ?? (step.hasPrefix(Self.prompt) ? step.dropFirst(Self.prompt.count + 1) : nil) else {
        continue
      }
      let typed = String(end)
      let (row, start) = (program.screen.cursor.row, program.output.count)
      try program.type(typed + "\r")
      try program.wait("the prompt or a question after \(typed)") { program in
        guard program.readsKeys else { return false }
        if program.screen.row.hasSuffix("]") { return program.screen.cursor.row > row }
        return program.screen.row == Self.prompt
          && program.output.dropFirst(start).firstRange(of: TerminalProgram.pasteOn) != nil
      }
    }
    var lines = program.screen.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines.removeLast()
    try program.type("\u{4}")
    let code = try program.exitCode()
    guard code == 0 else { throw Failure(description: "the conversation ended with \(code)\n\(program.screen.text)") }
    return ["$ openmarket"] + lines
  }
}
