/// A prompt split into the text that libedit measures and the styled text that is drawn.
///
/// libedit supports escape sequences in a prompt but loses one at its end. So it is given the plain text, and the
/// styled text is drawn over it.
struct StyledPrompt {
  /// The lines above the edited one, with their styles.
  var above: [String] = []
  var styled = ""
  var plain = ""

  init(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    styled = lines.popLast() ?? ""
    above = lines
    plain = Self.withoutStyles(styled)
  }

  /// Returns the text without its escape sequences.
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
