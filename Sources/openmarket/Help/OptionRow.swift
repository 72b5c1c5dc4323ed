import Catalog
import Text

/// One line of `--help`: options that belong together, and what they do.
struct OptionRow: Sendable {
  struct Name: Sendable {
    /// With its dashes.
    var name: String
    /// What stands for its value; nil for a flag.
    var value: String?

    var text: String { value.map { name + " " + $0 } ?? name }
  }

  var names: [Name]
  var summary: Wording

  /// `OptionRow(["--url URL", "--api EDITION"], …)`
  init(_ texts: [String], _ english: StyledText, ko korean: StyledText) {
    names = texts.map { text in
      let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
      return Name(name: parts[0], value: parts.count > 1 ? parts[1] : nil)
    }
    summary = Wording(english, ko: korean)
  }
}
