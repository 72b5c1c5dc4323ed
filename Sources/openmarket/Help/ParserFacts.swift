import ArgumentParser
import Foundation

/// What the parser itself tells about its options: their names, and the English words it has for them.
enum ParserFacts {
  private struct Tool: Decodable { var command: Command }
  private struct Command: Decodable {
    var arguments: [Argument]?
    var subcommands: [Command]?
    var abstract: String?

    var all: [Argument] { (arguments ?? []) + (subcommands ?? []).flatMap(\.all) }
  }
  private struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
      var dashed: String { (kind == "short" ? "-" : "--") + name }
    }
    var names: [Name]?
    var abstract: String?
  }

  private static let arguments: [Argument] =
    (try? JSONDecoder().decode(Tool.self, from: Data(OpenMarket._dumpHelp().utf8)))?.command.all ?? []

  /// With their dashes; what is answered before the parser is asked stands among them.
  static let names: Set<String> = {
    let unparsed: Set = ["-h", "--help", "--version", "--generate-completion-script", "--generate-manual"]
    return unparsed.union(arguments.flatMap { $0.names ?? [] }.map(\.dashed))
  }()

  /// The parser's words by option, for where a script holds them.
  static let words: [(name: String, text: String)] = arguments.flatMap { argument in
    guard let text = argument.abstract else { return [(name: String, text: String)]() }
    return (argument.names ?? []).map { (name: $0.dashed, text: text) }
  }
}
