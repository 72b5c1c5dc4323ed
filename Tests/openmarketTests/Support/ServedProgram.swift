import Glibc
import TestSupport
import Testing

/// `serve` in a separate process.
struct ServedProgram {
  let lines: [String]
  let url: String
  private let program: PipedProgram

  init(_ options: [String], _ home: TemporaryHome, environment: [String: String] = [:]) throws {
    program = try PipedProgram(["serve", "--data", home.path + "/market"] + options, environment: environment)
    let text = try program.output { $0.contains("\ncurl ") && $0.hasSuffix("\n") }
    lines = text.split(separator: "\n").map(String.init)
    url = String(try #require(text.firstMatch(of: #/serving \S+ at (\S+)/#)).1)
  }

  /// The variables of the first vendor's login.
  var login: [String: String] {
    lines.reduce(into: [:]) { values, line in
      guard let variable = line.wholeMatch(of: #/export (\w+)='(.*)'/#) else { return }
      values[String(variable.1)] = String(variable.2)
    }
  }

  func end() throws -> PipedProgram.Result {
    kill(program.processID, SIGTERM)
    return try program.result()
  }
}
