import ArgumentParser
import Foundation
import Platform
import Text

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
