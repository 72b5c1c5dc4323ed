import ArgumentParser
import Commands
import Engine
import Language
import Marketplace
import Platform
import Shell

@preconcurrency import Glibc

/// What the program was asked on its command line.
struct LaunchOptions: Hashable {
  var options = StartOptions()
  var home: String?
  var sources: [ScriptSource] = []
  var manner = Script.Manner()
  var yes = false
  var reports = RunReports()
  /// The recording that answers instead of a server.
  var replay: String?
}

extension LaunchOptions {
  /// Reads the everyday options without the library, which learns of its declarations by reflection: that took longer
  /// than all the rest before the prompt (3 of 8 ms). Nil for a word that is not among them: `OpenMarket` reads, explains or
  /// refuses everything, and a test holds the two together.
  init?(plain words: [String]) {
    self.init()
    var words = words[...]
    while let word = words.popFirst() {
      if LaunchOptions.isFlag(word, in: &self) { continue }
      if sources.isEmpty, let line = SystemShellLine([word] + words) {
        sources = [.line(line.text)]
        return
      }
      if word.hasPrefix("--"), let sign = word.firstIndex(of: "=") {
        let value = String(word[word.index(after: sign)...])
        guard !value.isEmpty, take(String(word[..<sign]), value) else { return nil }
        continue
      }
      guard let value = words.popFirst(), !value.hasPrefix("-"), take(word, value) else { return nil }
    }
  }

  private static func isFlag(_ word: String, in launch: inout LaunchOptions) -> Bool {
    switch word {
    case "--yes": launch.yes = true
    case "--read-only": launch.options.readOnly = true
    case "--keep-going":
      launch.manner.keepsGoing = true
      launch.options.keepGoing = true
    case "--no-color": launch.options.noColor = true
    case "--ascii": launch.options.ascii = true
    default: return false
    }
    return true
  }

  private mutating func take(_ option: String, _ value: String) -> Bool {
    switch option {
    case "-c": sources.append(.line(value))
    case "-f": sources.append(.file(value))
    case "--home": home = value
    case "--profile": options.profile = value
    case "--url": options.url = value
    case "--lang": options.language = value
    case "--replay": replay = value
    case "--api":
      guard let edition = Edition(rawValue: value) else { return false }
      options.edition = edition
    case "--format":
      guard let format = OutputFormat(rawValue: value) else { return false }
      options.format = format
    default: return false
    }
    return true
  }
}

extension StartOptions {
  /// Throws a `ValidationError` for a word that is no edition or format.
  init(_ arguments: OpenMarket) throws {
    self.init()
    profile = arguments.profile
    url = arguments.url
    edition = try StartOptions.choice(arguments.api, "api")
    format = try StartOptions.choice(arguments.format, "format")
    language = arguments.lang
    readOnly = arguments.readOnly
    keepGoing = arguments.keepGoing
    noColor = arguments.noColor
    ascii = arguments.ascii
  }

  private static func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ text: String?, _ option: String
  ) throws -> Value? {
    guard let text else { return nil }
    if let value = Value(rawValue: text) { return value }
    let choices = Value.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("--\(option) is one of \(choices), not '\(text)'.")
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

  /// Nil where the first word is an option or another program of ours: `serve`.
  init?(_ words: [String]) {
    guard let first = words.first, !first.isEmpty, !first.hasPrefix("-"), first != "serve",
      first != "help" || (words.count > 1 && words[1] != "serve" && !words[1].hasPrefix("-"))
    else { return nil }
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
