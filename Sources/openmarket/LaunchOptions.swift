import Foundation
import Platform
import Presentation
import Shell
import ShellRuntime

/// The options of one run of the program.
struct LaunchOptions: Hashable {
  var options = SessionOptions()
  var home: String?
  var sources: [ScriptSource] = []
  var scriptOptions = ScriptRunner.Options()
  var yes = false
  var reports = ReportOptions()
  /// The path of a recording that is replayed instead of using a server.
  var replay: String?
  /// A Boolean value that indicates that reads are retried after a temporary error.
  ///
  /// A test run sees every response instead.
  var retries = true
}

extension SessionOptions {
  /// - Throws: `CommandError` for an unknown edition or format.
  init(_ arguments: OpenMarketCommand) throws {
    self.init()
    profile = arguments.profile
    url = arguments.url
    edition = try SessionOptions.choice(arguments.api, "api")
    format = try SessionOptions.choice(arguments.format, "format")
    language = arguments.lang
    messageFormat = try SessionOptions.choice(arguments.errors, "errors") ?? MessageFormat.usual
    readOnly = arguments.readOnly
    keepGoing = arguments.keepGoing
    allowsPlainHTTP = arguments.insecureHTTP
    noColor = arguments.noColor
    ascii = arguments.ascii
  }

  private static func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ text: String?, _ option: String
  ) throws -> Value? {
    guard let text else { return nil }
    if let value = Value(rawValue: text) { return value }
    throw CommandLineError.unknownValue(text, of: "--" + option, Value.allCases.map(\.rawValue))
  }
}

extension MessageFormat {
  /// The form without `--errors`: JSON if an agent runs the program and reads standard error, otherwise text.
  static var usual: MessageFormat {
    AgentVariable.agent(in: Environment.current()) != nil && isatty(STDERR_FILENO) == 0 ? .json : .text
  }
}

extension AppDirectories {
  /// Creates the home from `--home`, otherwise `OPENMARKET_HOME`, otherwise the XDG directories.
  init(_ option: String?, _ environment: Environment) {
    let folder = option ?? environment["OPENMARKET_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    self = folder.map { AppDirectories(folder: $0) } ?? AppDirectories(environment: environment)
  }
}
