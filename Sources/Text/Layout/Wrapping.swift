/// Wraps text into lines of a given width in cells, at spaces if there are any.
package enum Wrapping {
  /// A scalar with its width.
  ///
  /// One of width 0 stays on the line of the scalar before it.
  private struct Glyph {
    var scalar: Unicode.Scalar
    var width: Int
    var meaning: TextStyle
  }

  /// Returns the sanitized text wrapped into lines, with its styles.
  ///
  /// Untrusted text is truncated at 500 scalars, values at 10,000; a truncated text ends in `...`. A `width` of `nil`
  /// breaks only at newlines. `commandMark` delimits both ends of a command if no color marks it.
  package static func wrap(
    _ text: StyledText, width: Int?, cells: WidthMeasurer, commandMark: String = ""
  ) -> [[StyledText.Run]] {
    glyphs(text, measurer: cells, commandMark: commandMark).split(omittingEmptySubsequences: false) {
      $0.scalar == "\n"
    }.flatMap { line in
      width.map { wrapped(Array(line), max(1, $0)) } ?? [Array(line)]
    }.map(runs)
  }

  private static func glyphs(_ text: StyledText, measurer cells: WidthMeasurer, commandMark: String) -> [Glyph] {
    var glyphs: [Glyph] = []
    for run in text.runs {
      let mark = run.meaning == .command ? commandMark : ""
      let clean =
        switch run.meaning {
        case .plain, .strong, .dim: Sanitizer.sanitized(run.text, .keep)
        case .foreign: Sanitizer.sanitized(run.text, limit: 500)
        case .command, .field, .value, .before, .after: Sanitizer.sanitized(run.text, limit: 10_000)
        }
      for scalar in (mark + clean + mark).unicodeScalars {
        glyphs.append(Glyph(scalar: scalar, width: cells.of(scalar), meaning: run.meaning))
      }
    }
    return glyphs
  }

  private static func wrapped(_ glyphs: [Glyph], _ width: Int) -> [[Glyph]] {
    var lines: [[Glyph]] = []
    var start = 0
    var space: Int?
    var used = 0
    var index = 0
    while index < glyphs.count {
      let glyph = glyphs[index]
      if used + glyph.width > width, index > start {
        let isSpace = glyph.scalar == " "
        // A word longer than a line is broken at the end of this line: a short line before it would not help the
        // reader.
        if let before = space, !isSpace, wordExceedsWidth(wordFrom: before + 1, glyphs, width) { space = nil }
        let end = isSpace ? index : space ?? index
        lines.append(Array(glyphs[start..<end]))
        start = isSpace ? index + 1 : space.map { $0 + 1 } ?? index
        // Combining marks on a dropped space are dropped with it.
        while start < glyphs.count, start > end, glyphs[start].width == 0 { start += 1 }
        index = start
        space = nil
        used = 0
        continue
      }
      if glyph.scalar == " " { space = index }
      used += glyph.width
      index += 1
    }
    lines.append(Array(glyphs[min(start, glyphs.count)...]))
    return lines
  }

  /// Returns true if the word that begins at `start` is wider than a line.
  private static func wordExceedsWidth(wordFrom start: Int, _ glyphs: [Glyph], _ width: Int) -> Bool {
    var used = 0
    for glyph in glyphs[start...] {
      if glyph.scalar == " " { return false }
      used += glyph.width
      if used > width { return true }
    }
    return false
  }

  /// Joins neighbouring scalars of the same style into runs.
  private static func runs(_ glyphs: [Glyph]) -> [StyledText.Run] {
    var result: [StyledText.Run] = []
    var index = 0
    while index < glyphs.count {
      let meaning = glyphs[index].meaning
      var stretch = String.UnicodeScalarView()
      while index < glyphs.count, glyphs[index].meaning == meaning {
        stretch.append(glyphs[index].scalar)
        index += 1
      }
      result.append(StyledText.Run(String(stretch), meaning))
    }
    return result
  }
}
