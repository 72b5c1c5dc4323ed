/// A prompt taken apart: what libedit measures, and what is painted over it.
///
/// libedit has its own way to hide escape sequences in a prompt, but it loses one that stands at the end; so it is
/// given the plain text, and the colours are painted afterwards.
struct StyledPrompt {
  /// Lines above the one that is edited, with their colours.
  var above: [String] = []
  var styled = ""
  var plain = ""

  init(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    styled = lines.popLast() ?? ""
    above = lines
    plain = Self.withoutStyles(styled)
  }

  /// The text without its escape sequences.
  static func withoutStyles(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        plain.append(scalar)
        continue
      }
      guard rest.popFirst() == "[" else { continue }
      while let part = rest.popFirst(), !("@"..."~").contains(part) {}
    }
    return String(plain)
  }
}

/// A part of the line in a colour.
package struct PaintedRange: Sendable, Equatable {
  /// Unicode scalars of the line.
  package var range: Range<Int>
  /// What stands between `ESC [` and `m`: `"1;36"` is bold cyan.
  package var style: String

  package init(_ range: Range<Int>, style: String) {
    self.range = range
    self.style = style
  }
}
