import ArgumentParser
import BuildInformation
import Foundation
import Networking
import Platform
import Presentation
import Shell
import ShellRuntime
import Synchronization
import Text

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
    if let api = arguments.api, APIWord.isFile(api) {
      description = api
    } else {
      edition = try SessionOptions.choice(arguments.api, "api")
    }
    format = try SessionOptions.choice(arguments.format, "format")
    language = arguments.lang
    messageFormat = try SessionOptions.choice(arguments.errors, "errors") ?? MessageFormat.usual
    readOnly = arguments.readOnly
    keepGoing = arguments.keepGoing
    onceKey = arguments.once
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

/// The language and the form of the errors of a command line that could not be read: that ends the parser before its other options are known.
struct LanguageOption: ParsableArguments {
  @Option var lang: String?
  @Option var errors: String?
  @ArgumentParser.Argument(parsing: .allUnrecognized) var rest: [String] = []

  /// The options, or `nil` if not even these could be read.
  static var value: LanguageOption? {
    // Otherwise parsing these options would also print the completion script.
    let words = ProgramArguments.all.dropFirst().filter {
      !$0.hasPrefix("--generate-completion-script") && !["--help", "-h"].contains($0)
    }
    return try? LanguageOption.parse(Array(words))
  }
}

/// The reports of a run of scripts besides its output: `--tap` and `--junit FILE`.
struct ReportOptions: Hashable {
  var tap = false
  var junit: String?

  /// Returns the console of the run.
  ///
  /// With `--tap` it writes output as comments, because standard output is the protocol.
  func console(_ console: DescriptorConsole) -> any Console { tap ? TAPConsole(console) : console }

  /// Returns the log for the reports, or `nil` if none was requested.
  ///
  /// - Throws: `CommandError` if the name of the file contains a secret, or if the file exists and isn't XML.
  func log(in scope: CommandScope) throws -> ScriptRunLog? {
    guard tap || junit != nil else { return nil }
    scope.context.stores.remember(scope.session.secrets)
    if let junit { try ProtectedOutputFile(junit, scope.context).checkReplaceable(by: JUnit.head) }
    let start = ContinuousClock.now
    if tap { say(TAP.head) }
    return ScriptRunLog(
      in: scope.session.settings.language, clock: { start.duration(to: .now) },
      holdsSecret: { scope.holdsSecret($0) }, namesSecret: { scope.context.stores.holdsSecret(name: $0) },
      mask: { scope.context.stores.secrets.mask($0) }
    ) { [tap] point, number in
      if tap { say(TAP.point(point, number)) }
    }
  }

  /// Completes the reports, and returns the failure if one can't be written.
  func finish(_ log: ScriptRunLog?, in context: CommandContext) -> CommandError? {
    guard let log else { return nil }
    if tap { say(TAP.plan(log.points.count)) }
    guard let junit else { return nil }
    do {
      try ProtectedOutputFile(junit, context).write(Data(JUnit.xml(log.points).utf8))
      return nil
    } catch {
      return CommandError(describing: error)
    }
  }
}

/// Writes to standard output directly, because the console would write a comment.
private func say(_ text: String) {
  // A closed pipe doesn't end the run; the exit status still reports the result.
  try? Descriptor.write(text, to: STDOUT_FILENO)
}

/// A `-c` or `-f` with its position among the others.
///
/// They run in the given order, as in psql.
struct GivenSource: Sendable {
  let source: ScriptSource
  let position: Int

  private static let count = Atomic(0)

  /// Creates a source.
  ///
  /// The parser calls this in the order of the command line.
  init(_ source: ScriptSource) {
    self.source = source
    position = GivenSource.count.add(1, ordering: .relaxed).newValue
  }
}
