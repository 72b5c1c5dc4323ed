import Engine
import Language
import Marketplace
import Platform
import Shell

/// The options of one start of the shell.
struct LaunchOptions: Hashable {
  var options = StartOptions()
  var home: String?
  var sources: [ScriptSource] = []
  var manner = Script.Manner()
  var yes = false
  var reports = RunReports()
  /// The recording that answers instead of a server.
  var replay: String?
  /// Reads are sent again after a failure that may pass; a test run sees every response instead.
  var retries = true
}

extension StartOptions {
  /// - Throws: `Failure` for a word that is no edition or format.
  init(_ arguments: OpenMarket) throws {
    self.init()
    profile = arguments.profile
    url = arguments.url
    edition = try StartOptions.choice(arguments.api, "api")
    format = try StartOptions.choice(arguments.format, "format")
    language = arguments.lang
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

extension Home {
  /// Where `--home` says, else where `OPENMARKET_HOME` says, else the XDG directories.
  init(_ option: String?, _ environment: Environment) {
    let folder = option ?? environment["OPENMARKET_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    self = folder.map { Home(folder: $0) } ?? Home(environment: environment)
  }
}

/// `openmarket ls where stock=0`: the words behind the options as a line, each as the system's shell handed it over.
///
/// A word stays one word whatever stands in it; a single word is a whole line, as behind `-c`.
struct SystemShellLine {
  let text: String

  /// Nil without words.
  init?(_ words: [String]) {
    guard let first = words.first else { return nil }
    guard words.count > 1 else {
      text = first
      return
    }
    var result = [first]
    for (before, word) in zip(words, words.dropFirst()) { result.append(SystemShellLine.spelled(word, behind: before)) }
    text = result.joined(separator: " ")
  }

  private static func spelled(_ word: String, behind before: String) -> String {
    // `where 'stock=0 and price>1'`: a condition in one piece.
    if ["where", "until", "assert", "if"].contains(before), word.contains(" ") { return word }
    if let match = word.wholeMatch(of: /([\p{L}_][\p{L}0-9_.\[\]-]*[-+*]?=|--[a-z-]+=)(.*)/.dotMatchesNewlines()) {
      let value = String(match.2)
      if value.isEmpty { return word }
      // The sign of a file is no part of its name.
      let isFile = value.hasPrefix("@")
      return String(match.1) + (isFile ? "@" : "") + Quoting.quote(isFile ? String(value.dropFirst()) : value)
    }
    return Quoting.quote(word)
  }
}
