/// Makes text of a server, a file or a product harmless to a terminal: what cannot be seen is spelled out.
///
/// Control letters become `^[`, the others that act without being seen `\u{9B}`. Emoji are brought to the form whose
/// width every terminal agrees on: joiners, VS16 and skin tones are left away. Time and memory grow with the text.
package enum Sanitizer {
  /// How lines and tabs inside the text are shown.
  package enum Shape: Hashable, Sendable {
    /// One line stays one line: `\n` and `\t` are spelled out.
    case line
    /// Lines stay lines, a tab becomes two spaces.
    case block
  }

  /// Marks above or below one letter that are still shown; the rest becomes one `...`.
  package static let marks = 4

  /// Harmless text in NFC; of more than `limit` scalars only the beginning, with `...` (which every terminal
  /// and font has).
  package static func clean(_ text: String, _ shape: Shape = .line, limit: Int = 200_000) -> String {
    if text.utf8.count <= limit, text.isPrintableASCII { return text }
    let scalars = text.unicodeScalars
    let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex) ?? scalars.endIndex
    var cleaner = Cleaner(shape: shape)
    // Composing a text with endless marks is not linear: they are capped first, then composed.
    for scalar in scalars[..<end] { cleaner.take(scalar) }
    cleaner.finish()
    if end != scalars.endIndex { cleaner.output += "..." }
    return cleaner.output.precomposed
  }

  /// A name for a cell of a table: one line in NFC, blanks between words, without what cannot be seen.
  ///
  /// - Parameter limit: in characters; what is longer is no name, and is cut.
  package static func label(_ text: String, limit: Int = 120) -> String {
    // One character can hold any number of marks.
    let scalars = String(text.prefix(limit)).precomposed.unicodeScalars.prefix(limit * 8)
    var kept = String.UnicodeScalarView()
    for scalar in scalars {
      if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
        kept.append(" ")
      } else if scalar.isVisible {
        kept.append(scalar)
      }
    }
    return String(kept).split(separator: " ").joined(separator: " ")
  }

  /// `^[` for control letters, `\u{9B}` for all others.
  static func spelled(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0...0x1F: "^" + String(Unicode.Scalar(UInt8(scalar.value + 0x40)))
    case 0x7F: "^?"
    default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
  }

  private struct Cleaner {
    let shape: Shape
    var output = ""
    /// The last letter that marks may sit on; nil at a beginning and after something spelled out.
    private var base: Unicode.Scalar?
    private var marks = 0
    private var wasReturn = false

    init(shape: Shape) { self.shape = shape }

    mutating func take(_ scalar: Unicode.Scalar) {
      let follows = wasReturn
      wasReturn = false
      if follows, scalar != "\n" { put("^M") }
      switch scalar.value {
      case 0x20...0x7E, 0xAC00...0xD7A3: letter(scalar)
      case 0x0A: newline()
      case 0x0D where shape == .block: wasReturn = true
      case 0x09: put(shape == .line ? "\\t" : "  ")
      // A figure is an emoji only with what makes a key of it behind it.
      case 0x200D where base?.isASCII != false: put(Sanitizer.spelled(scalar))
      case 0x200D, 0xFE0F: if base?.properties.isEmoji != true { put(Sanitizer.spelled(scalar)) }
      case 0x1F3FB...0x1F3FF: if base?.properties.isEmojiModifierBase != true { put(Sanitizer.spelled(scalar)) }
      case 0x1160...0x11FF, 0xD7B0...0xD7FF: jamo(scalar)
      default: other(scalar)
      }
    }

    /// A carriage return at the very end has nothing to wait for.
    mutating func finish() {
      if wasReturn { put("^M") }
    }

    private mutating func newline() {
      switch shape {
      case .line: put("\\n")
      case .block: put("\n")
      }
    }

    private mutating func other(_ scalar: Unicode.Scalar) {
      guard scalar.isVisible else { return put(Sanitizer.spelled(scalar)) }
      if scalar.isMark { mark(scalar) } else { letter(scalar) }
    }

    /// A vowel or final belongs to the jamo before it; alone it would take no cell.
    private mutating func jamo(_ scalar: Unicode.Scalar) {
      guard scalar.isVisible else { return put(Sanitizer.spelled(scalar)) }
      switch base?.value {
      case .some(0x1100...0x115E), .some(0xA960...0xA97C), .some(0xAC00...0xD7A3): mark(scalar)
      default: put(Sanitizer.spelled(scalar))
      }
    }

    private mutating func letter(_ scalar: Unicode.Scalar) {
      output.unicodeScalars.append(scalar)
      base = scalar
      marks = 0
    }

    private mutating func mark(_ scalar: Unicode.Scalar) {
      guard base != nil else { return put(Sanitizer.spelled(scalar)) }
      marks += 1
      if marks <= Sanitizer.marks { output.unicodeScalars.append(scalar) }
      if marks == Sanitizer.marks + 1 { output += "..." }
    }

    private mutating func put(_ text: String) {
      output += text
      base = nil
      marks = 0
    }
  }
}

extension Unicode.Scalar {
  /// True for what stands for itself on a terminal, wherever it stands: the one answer to "may this be shown as it is".
  ///
  /// False for control letters, direction marks and other format letters, line and paragraph separators, private use,
  /// letters that are not assigned, and for what takes room or changes its neighbours without being seen: fillers,
  /// variation selectors, tags, the blank braille pattern, the object replacement.
  package var isVisible: Bool {
    switch value {
    case 0x20...0x7E, 0xAC00...0xD7A3: return true
    case 0x2800, 0xFFFC: return false
    default: break
    }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
    default: return !properties.isDefaultIgnorableCodePoint
    }
  }

  /// A mark that sits on the letter before it; some of them take a cell of their own.
  package var isMark: Bool {
    if isASCII { return false }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: return true
    default: return false
    }
  }

  /// Takes no cell of a terminal, because it joins or changes the letter before it.
  var hasNoWidth: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    default: false
    }
  }
}
