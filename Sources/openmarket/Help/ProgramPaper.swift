import ArgumentParser
import Catalog
import Engine
import Foundation
import Shell
import Text

/// What the program says about itself instead of starting: help, a completion script, a manual page.
struct ProgramPaper {
  private enum Kind { case help(serve: Bool), script(String), manual, language }

  private let kind: Kind
  private let tongue: MessageLanguage

  /// Nil when none of them is asked for, which is known without looking at the options.
  init?(_ arguments: [String], environment: [String: String]) {
    let words: Set = ["-h", "--help", "help", "--generate-completion-script", "--generate-manual"]
    let isAsked = arguments.contains { word in
      words.contains(word) || word.hasPrefix("--generate-completion-script=")
    }
    guard isAsked, let kind = ProgramPaper.kind(arguments) else { return nil }
    self.kind = kind
    tongue = ProgramPaper.tongue(arguments, environment)
  }

  /// Nil for a shell that has no script; the parser says so.
  var text: String? {
    switch kind {
    case .help(serve: false): return ProgramHelp.program(tongue)
    case .help(serve: true): return ProgramHelp.serve(tongue)
    case .manual: return Manual(tongue).text
    case .language: return Manual(tongue).language
    case .script(let name): return CompletionShell(rawValue: name).map { CompletionScript.text(for: $0, tongue) }
    }
  }

  /// The first word that asks, values of options left out: `-c --help` is a line and no question.
  private static func kind(_ arguments: [String]) -> Kind? {
    let valued = Set((OptionRow.program + OptionRow.serve).flatMap(\.names).filter { $0.value != nil }.map(\.name))
    var serves = false
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      index += 1
      switch word {
      case "--": return nil
      case "-h", "--help": return .help(serve: serves)
      case "help": return .help(serve: arguments[index...].first == "serve")
      case "serve": serves = true
      case "--generate-manual": return arguments[index...].first == "language" ? .language : .manual
      case "--generate-completion-script": return arguments[index...].first.map { .script($0) }
      case _ where word.hasPrefix("--generate-completion-script="):
        return .script(String(word.drop { $0 != "=" }.dropFirst()))
      case _ where valued.contains(word): index += 1
      case _ where !word.hasPrefix("-"): return nil
      default: continue
      }
    }
    return nil
  }

  static func tongue(_ arguments: [String], _ environment: [String: String]) -> MessageLanguage {
    var option: String?
    for (index, word) in arguments.enumerated() {
      if word == "--lang" { option = arguments[(index + 1)...].first }
      if word.hasPrefix("--lang=") { option = String(word.dropFirst("--lang=".count)) }
    }
    return (try? MessageLanguage(option: option, environment: environment)) ?? .english
  }
}
