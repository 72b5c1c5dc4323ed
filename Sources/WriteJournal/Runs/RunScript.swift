import Catalog

/// The lines of a script that is in no file: several `-c`, or standard input.
///
/// They are recorded with the run, so that `resume` can go on with them.
package struct RunScript: Hashable, Sendable, Codable {
  package private(set) var lines: [Run.ScriptLine]
  /// A Boolean value that indicates that these are all lines. What comes after those of a pipe may not be known.
  package private(set) var isWhole: Bool

  /// The maximum size of the texts in bytes; lines after that aren't recorded.
  private static let maximumBytes = 1 << 20

  package init(_ lines: [Run.ScriptLine], isWhole: Bool) {
    var bytes = 0
    self.lines = Array(
      lines.prefix { line in
        bytes += line.text.utf8.count
        return bytes <= RunScript.maximumBytes
      })
    self.isWhole = isWhole && self.lines.count == lines.count
  }

  /// Returns the script with secrets masked, whose lines can't be run.
  func masked(by mask: (String) -> String) -> RunScript {
    RunScript(
      lines.map { line in
        let text = mask(line.text)
        return Run.ScriptLine(number: line.number, text: text, isComplete: line.isComplete && text == line.text)
      }, isWhole: isWhole)
  }
}

/// The values that a line of a script refers to: the variables, `_` and the listing before it, and the arguments of the script.
package struct RunValues: Hashable, Sendable, Codable {
  package enum Stored: Hashable, Sendable, Codable {
    /// A product, which is read again.
    case product(Product.ID)
    /// JSON text.
    case json(String)
  }

  package var variables: [String: Stored] = [:]
  /// The product of `_`.
  package var last: Product.ID?
  /// The products of the last listing, for `@3`.
  package var rows: [Product.ID] = []
  package var arguments: [String] = []

  package init() {}
}
