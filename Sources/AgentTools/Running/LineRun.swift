import CommandLanguage
import Foundation
import ModelContextProtocol
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// Runs lines of the command language for tools, and returns what they print as JSON.
///
/// A line is built by a tool around texts of the model, so it is checked after parsing: one command of the expected
/// name with the expected options, without prefixes and without a destination for its output.
struct LineRun: Sendable {
  private let environment: ToolEnvironment
  private let call: ToolCall
  private let console: CapturingConsole

  init(_ environment: ToolEnvironment, for call: ToolCall) {
    self.environment = environment
    self.call = call
    console = CapturingConsole(call)
  }

  /// A run for the same call with nothing captured yet.
  var again: LineRun { LineRun(environment, for: call) }
  var warnings: [String] { console.warnings }
  var notes: [String] { console.notes }

  /// Returns the scope of one call: a copy of the session whose output is captured.
  func scope() -> CommandScope { environment.scope(console, agent: call.client) }

  /// Runs a line and returns its JSON, or null if the command printed messages only.
  ///
  /// - Parameters:
  ///   - command: The command that the line must be.
  ///   - options: The options and arguments that it may have.
  /// - Throws: `ParseError` for a line that is anything else; the errors of the command.
  func json(_ line: String, as command: String, with options: Set<String>) async throws -> JSON {
    var scope = scope()
    _ = try parsed(line, as: command, with: options)
    defer { environment.remember(scope.session) }
    let result = try await scope.run(line)
    if !result.isSuccess, console.output.isEmpty {
      throw CommandError.ending(result.status, status: scope.session.last.httpStatus)
    }
    guard !console.output.isEmpty else { return .null }
    return try JSON(parsing: console.output)
  }

  /// Returns the command of a line.
  ///
  /// - Throws: `ParseError` as `json`.
  func parsed(_ line: String, as command: String, with options: Set<String>) throws -> ParsedCommand {
    let scope = scope()
    return try LineRun.check(try scope.read(line), is: command, with: options)
  }

  /// Runs a line and returns its output as text.
  ///
  /// - Throws: The errors of the command.
  func plainText(_ line: String) async throws -> String {
    var scope = scope()
    scope.session.settings.format = .table
    _ = try await scope.run(line)
    return String(decoding: console.output, as: UTF8.self)
  }

  private static func check(
    _ commands: [ParsedCommand], is command: String, with options: Set<String>
  ) throws(ParseError) -> ParsedCommand {
    guard commands.count == 1, let only = commands.first, only.command == command, only.prefixes.isEmpty,
      only.clauses == Clauses(), only.assignments.isEmpty, options.isSuperset(of: only.arguments.keys)
    else {
      throw ParseError(
        LocalizedText(
          "An argument contains more than its value, such as another command or option.",
          ko: "인자에 값 말고도 다른 명령이나 옵션이 들어 있습니다."))
    }
    return only
  }
}
