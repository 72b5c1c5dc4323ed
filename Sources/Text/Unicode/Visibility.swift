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
