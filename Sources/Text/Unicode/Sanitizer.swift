/// Makes untrusted text safe to print on a terminal by escaping what cannot be seen.
///
/// C0 control characters become `^[`, other invisible characters `\u{9B}`. Emoji are reduced to the form whose width is
/// the same on every terminal: joiners, VS16 and skin tones are removed. Time and memory are linear in the length of
/// the text.
package enum Sanitizer {
  /// The treatment of newlines and tabs inside the text.
  package enum NewlinePolicy: Hashable, Sendable {
    /// Writes the text on one line: `\n` and `\t` are escaped.
    case escape
    /// Preserves newlines; a tab becomes two spaces.
    case keep
  }

  /// The maximum number of combining marks shown on one base character; further ones become one `...`.
  package static let marks = 4

  /// Returns sanitized text in Normalization Form C.
  ///
  /// Text longer than `limit` scalars is truncated and ends in `...`, which every terminal and font can show.
  package static func sanitized(_ text: String, _ shape: NewlinePolicy = .escape, limit: Int = 200_000) -> String {
    if text.utf8.count <= limit, text.isPrintableASCII { return text }
    let scalars = text.unicodeScalars
    let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex) ?? scalars.endIndex
    var cleaner = Cleaner(shape: shape)
    // Composing a text with unlimited combining marks is not linear: the marks are capped before it is composed.
    for scalar in scalars[..<end] { cleaner.append(scalar) }
    cleaner.finish()
    if end != scalars.endIndex { cleaner.output += "..." }
    return cleaner.output.nfcNormalized
  }

  /// Returns a label for a table cell: one line in Normalization Form C, words separated by single spaces, invisible
  /// characters removed.
  ///
  /// A label longer than `limit` characters is truncated.
  package static func label(_ text: String, limit: Int = 120) -> String {
    // One character can contain any number of combining marks.
    let scalars = String(text.prefix(limit)).nfcNormalized.unicodeScalars.prefix(limit * 8)
    var stored = String.UnicodeScalarView()
    for scalar in scalars {
      if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
        stored.append(" ")
      } else if scalar.isPrintable {
        stored.append(scalar)
      }
    }
    return String(stored).split(separator: " ").joined(separator: " ")
  }

  /// Returns the escape of a scalar: `^[` for C0 control characters and DEL, `\u{9B}` for all others.
  static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0...0x1F: "^" + String(Unicode.Scalar(UInt8(scalar.value + 0x40)))
    case 0x7F: "^?"
    default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
  }

  private struct Cleaner {
    let shape: NewlinePolicy
    var output = ""
    /// The last base character, which may take combining marks; `nil` at the beginning and after an escape.
    private var base: Unicode.Scalar?
    private var marks = 0
    private var wasReturn = false

    init(shape: NewlinePolicy) { self.shape = shape }

    mutating func append(_ scalar: Unicode.Scalar) {
      let follows = wasReturn
      wasReturn = false
      if follows, scalar != "\n" { appendEscaped("^M") }
      switch scalar.value {
      case 0x20...0x7E, 0xAC00...0xD7A3: appendBase(scalar)
      case 0x0A: newline()
      case 0x0D where shape == .keep: wasReturn = true
      case 0x09: appendEscaped(shape == .escape ? "\\t" : "  ")
      // A digit is an emoji only when a keycap mark follows it, so that a joiner after it is escaped.
      case 0x200D where base?.isASCII != false: appendEscaped(Sanitizer.escaped(scalar))
      case 0x200D, 0xFE0F: if base?.properties.isEmoji != true { appendEscaped(Sanitizer.escaped(scalar)) }
      case 0x1F3FB...0x1F3FF:
        if base?.properties.isEmojiModifierBase != true { appendEscaped(Sanitizer.escaped(scalar)) }
      case 0x1160...0x11FF, 0xD7B0...0xD7FF: appendJamo(scalar)
      default: appendOther(scalar)
      }
    }

    /// Ends the text: a carriage return that is still pending is escaped.
    mutating func finish() {
      if wasReturn { appendEscaped("^M") }
    }

    private mutating func newline() {
      switch shape {
      case .escape: appendEscaped("\\n")
      case .keep: appendEscaped("\n")
      }
    }

    private mutating func appendOther(_ scalar: Unicode.Scalar) {
      guard scalar.isPrintable else { return appendEscaped(Sanitizer.escaped(scalar)) }
      if scalar.isCombiningMark { appendCombiningMark(scalar) } else { appendBase(scalar) }
    }

    /// Handles a medial vowel or final consonant: it joins the jamo before it, and is escaped without one because it
    /// would take no cell.
    private mutating func appendJamo(_ scalar: Unicode.Scalar) {
      guard scalar.isPrintable else { return appendEscaped(Sanitizer.escaped(scalar)) }
      switch base?.value {
      case .some(0x1100...0x115E), .some(0xA960...0xA97C), .some(0xAC00...0xD7A3): appendCombiningMark(scalar)
      default: appendEscaped(Sanitizer.escaped(scalar))
      }
    }

    private mutating func appendBase(_ scalar: Unicode.Scalar) {
      output.unicodeScalars.append(scalar)
      base = scalar
      marks = 0
    }

    private mutating func appendCombiningMark(_ scalar: Unicode.Scalar) {
      guard base != nil else { return appendEscaped(Sanitizer.escaped(scalar)) }
      marks += 1
      if marks <= Sanitizer.marks { output.unicodeScalars.append(scalar) }
      if marks == Sanitizer.marks + 1 { output += "..." }
    }

    private mutating func appendEscaped(_ text: String) {
      output += text
      base = nil
      marks = 0
    }
  }
}

extension Unicode.Scalar {
  /// Indicates whether the scalar is shown as itself on a terminal, in any context.
  ///
  /// False for control and format characters (such as direction marks), line and paragraph separators, private use,
  /// unassigned code points, and those that take space or change their neighbours without being seen: fillers,
  /// variation selectors, tags, the empty braille pattern, the object replacement character.
  package var isPrintable: Bool {
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

  /// Indicates whether the scalar is a combining mark.
  ///
  /// Some combining marks take a cell of their own.
  package var isCombiningMark: Bool {
    if isASCII { return false }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: return true
    default: return false
    }
  }

  /// Indicates whether the scalar takes no cell because it joins or changes the character before it.
  var isZeroWidth: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    default: false
    }
  }
}
