import ArgumentParser
import CommandLanguage
import Commands
import Foundation
import LineEditing
import MarketAPI
import Networking
import Platform
import Shell
import ShellRuntime
import Text

/// The candidates for the next word of a command line: an option, its value, a command, and after a command the candidates
/// of Tab at the prompt.
struct CommandLineCompletion {
  /// A candidate for the word at the cursor, without the quotes of a shell.
  struct Offer: Hashable, Sendable {
    var text: String
    var about: String
    /// A Boolean value that indicates whether a space follows the candidate.
    var endsWord: Bool
  }

  private let typed: POSIXWords
  private let environment: Environment
  /// The values of the options that were given.
  private var options: [String: String] = [:]
  /// The words after the options.
  private var line: [String] = []
  /// The option whose value is being typed.
  private var pending: String?
  /// The subcommand with options of its own, `serve` or `mcp`, or `nil`.
  private var subcommand: String?

  init(_ typed: POSIXWords, _ environment: Environment) {
    self.typed = typed
    self.environment = environment
    var words = typed.words[...]
    while let word = words.popFirst() {
      guard line.isEmpty, word.hasPrefix("-"), word.count > 1 else {
        if line.isEmpty, subcommand == nil, ["serve", "mcp"].contains(word) {
          subcommand = word
        } else {
          line.append(word)
        }
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 1, takesValue(word) else {
        if parts.count == 2 { options[parts[0]] = parts[1] }
        continue
      }
      guard let value = words.popFirst() else {
        pending = word
        return
      }
      options[word] = value
    }
  }

  func offers() -> [Offer] {
    if let pending { return values(of: pending, beginning: typed.partial, after: "") }
    guard line.isEmpty, typed.partial.hasPrefix("-") || subcommand != nil else { return rest() }
    if let sign = typed.partial.firstIndex(of: "=") {
      let value = typed.partial[typed.partial.index(after: sign)...]
      return values(of: String(typed.partial[..<sign]), beginning: String(value), after: String(typed.partial[...sign]))
    }
    return rows.flatMap { row in
      row.names.map { Offer(text: $0.name, about: row.summary[language].plain, endsWord: true) }
    }.filter { $0.text.hasPrefix(typed.partial) }
  }

  private var rows: [HelpEntry] {
    switch subcommand {
    case "serve": HelpEntry.serveOptions
    case "mcp": HelpEntry.mcpOptions
    default: HelpEntry.mainOptions
    }
  }

  private func takesValue(_ name: String) -> Bool {
    rows.contains { $0.names.contains { $0.name == name && $0.value != nil } }
  }

  private var language: MessageLanguage {
    (try? MessageLanguage(option: options["--lang"], environment: environment)) ?? .english
  }

  private func values(of option: String, beginning typed: String, after before: String) -> [Offer] {
    func plain(_ values: [String]) -> [Offer] {
      values.filter { $0.hasPrefix(typed) }.map { Offer(text: before + $0, about: "", endsWord: true) }
    }
    switch option {
    case "--profile": return plain(((try? ProfileStore(home).load()) ?? [:]).keys.sorted())
    case "--api":
      let files = APIWord.isFile(typed) ? PathCompletion.files(typed, home: environment["HOME"]) : []
      return plain(Edition.allCases.map(\.rawValue))
        + files.map { Offer(text: before + $0, about: "", endsWord: !$0.hasSuffix("/")) }
    case "--format": return plain(OutputFormat.allCases.map(\.rawValue))
    case "--lang": return plain(MessageLanguage.allCases.map(\.rawValue))
    case "--generate-completion-script": return plain(CompletionScript.allCases.map(\.rawValue))
    case "-c": return completions(of: "", typed, after: before, isLine: true)
    case "-f", "--junit", "--replay", "--home", "--data", "--vendors":
      let paths = PathCompletion.files(typed, home: environment["HOME"])
      let isFolder = option == "--home" || option == "--data"
      return paths.filter { !isFolder || $0.hasSuffix("/") }.map {
        Offer(text: before + $0, about: "", endsWord: !$0.hasSuffix("/"))
      }
    default: return []
    }
  }

  /// Returns the candidates for a word after the options.
  private func rest() -> [Offer] {
    guard let text = ArgumentLine(line)?.text else {
      let words = [
        ("serve", "run the built-in market as a server", "내장 마켓을 서버로 실행"),
        ("mcp", "serve an agent, which reads and plans", "조회하고 계획하는 에이전트를 위한 서버"),
      ].filter {
        $0.0.hasPrefix(typed.partial)
      }.map {
        Offer(text: $0.0, about: language == .korean ? $0.2 : $0.1, endsWord: true)
      }
      return completions(of: "", typed.partial, after: "", isLine: false) + words
    }
    return completions(of: text + " ", typed.partial, after: "", isLine: false)
  }

  /// Returns the candidates of Tab at the prompt.
  ///
  /// - Parameter isLine: true if the word at the cursor is a complete line, as after `-c`.
  private func completions(of line: String, _ typed: String, after before: String, isLine: Bool) -> [Offer] {
    let whole = line + typed
    let completion = knowledge.choices(whole, at: whole.unicodeScalars.count)
    let start = completion.range.lowerBound - line.unicodeScalars.count
    guard start >= 0 else { return [] }
    let stored = String(String.UnicodeScalarView(typed.unicodeScalars.prefix(start)))
    return completion.candidates.map { candidate in
      let text = isLine ? candidate.text : CommandLineCompletion.unquoted(candidate.text)
      return Offer(
        text: before + stored + text, about: candidate.description,
        endsWord: candidate.endsWord && !isLine)
    }
  }

  /// A candidate without the quotes of our own lines: the system's shell writes its own.
  private static func unquoted(_ text: String) -> String {
    guard case .word(let word)? = Lexer(text).tokens.first, Lexer(text).tokens.count == 1 else { return text }
    return word.text
  }

  private var home: AppDirectories { AppDirectories(options["--home"], environment) }

  private var knowledge: LineAssistant {
    var start = SessionOptions()
    start.profile = options["--profile"]
    start.url = options["--url"]
    start.language = language.rawValue
    start.edition = options["--api"].flatMap { Edition(rawValue: $0) }
    start.description = options["--api"].flatMap { APIWord.isFile($0) ? $0 : nil }
    let home = home
    let factory = SessionFactory(environment, home, demo: nil, commands: AllCommands.registry)
    let context = LineAssistant(
      home, environment: environment,
      journal: {
        guard FileManager.default.fileExists(atPath: home.journalFolder + "/journal.sqlite") else { return nil }
        return try LazyJournal(folder: home.journalFolder, secrets: SecretRegistry()).open()
      })
    if let session = (try? factory.session(start)) ?? (try? factory.session(SessionOptions())) {
      context.follow(session)
    }
    return context
  }
}

/// `openmarket __complete SHELL …`: prints candidates for a completion script, one on each line.
///
/// bash passes the text that it would replace and the command line up to the cursor. zsh and fish pass the words without
/// the program's name; the last one is the word at the cursor.
struct CompleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "__complete", abstract: "Print candidates for a completion script.", shouldDisplay: false,
    helpNames: [])

  @ArgumentParser.Argument(parsing: .captureForPassthrough) var words: [String] = []

  func run() throws {
    guard let shell = words.first.flatMap({ CompletionScript(rawValue: $0) }) else { return }
    let rest = Array(words.dropFirst())
    let typed: POSIXWords
    var current = ""
    if shell == .bash {
      guard rest.count == 2 else { return }
      let line = POSIXWords(line: rest[1])
      typed = line.droppingProgram
      // In a URL or an assignment, bash replaces only the text after the last `=` or `:`.
      current = rest[0].allSatisfy { "=:".contains($0) } ? "" : rest[0]
    } else {
      typed = POSIXWords(rest)
    }
    let offers = CommandLineCompletion(typed, Environment.current()).offers()
    let lines = offers.map { shell.line($0, typed: typed, replacing: current) + "\n" }
    try Descriptor.write(lines.joined(), to: STDOUT_FILENO)
  }
}
