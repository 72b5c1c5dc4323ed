import Catalog

/// Breaks text into lines of so many cells, at spaces where there are any.
enum Wrapping {
  /// A scalar as it is laid out; one without a width stays with what stands before it.
  private struct Glyph {
    var scalar: Unicode.Scalar
    var width: Int
    var style: Styling.Style
  }

  /// Harmless, coloured lines; nil width breaks only where the text does.
  static func lines(_ text: StyledText, width: Int?, _ options: RenderOptions) -> [String] {
    var lines: [[Glyph]] = []
    for line in glyphs(text, options).split(omittingEmptySubsequences: false, whereSeparator: isNewline) {
      lines += width.map { wrapped(Array(line), max(1, $0)) } ?? [Array(line)]
    }
    return lines.map { painted($0, options) }
  }

  /// The same lines for a drawing, which is painted when it is shown.
  static func strokes(_ text: StyledText, width: Int?, _ options: RenderOptions) -> [[Drawing.Stroke]] {
    glyphs(text, options).split(omittingEmptySubsequences: false, whereSeparator: isNewline).flatMap { line in
      width.map { wrapped(Array(line), max(1, $0)) } ?? [Array(line)]
    }.map { line in stretches(line).map { Drawing.Stroke($0.text, $0.style.ink) } }
  }

  private static func isNewline(_ glyph: Glyph) -> Bool { glyph.scalar == "\n" }

  private static func glyphs(_ text: StyledText, _ options: RenderOptions) -> [Glyph] {
    var glyphs: [Glyph] = []
    for run in text.runs {
      let style = Styling.style(of: run.meaning)
      let quote = run.meaning == .command && !options.colors ? "`" : ""
      let clean =
        switch run.meaning {
        case .plain, .strong, .dim: Sanitizer.clean(run.text, .block)
        case .foreign: Sanitizer.clean(run.text, limit: 500)
        case .command, .field, .value, .before, .after: Sanitizer.clean(run.text, limit: 10_000)
        }
      for scalar in (quote + clean + quote).unicodeScalars {
        glyphs.append(Glyph(scalar: scalar, width: options.cells.of(scalar), style: style))
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
        // A word that fits no line is broken where it stands: a line with only the words before it would help nobody.
        if let before = space, !isSpace, isLong(wordFrom: before + 1, glyphs, width) { space = nil }
        let end = isSpace ? index : space ?? index
        lines.append(Array(glyphs[start..<end]))
        start = isSpace ? index + 1 : space.map { $0 + 1 } ?? index
        // What sits on the space goes with it.
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

  /// Whether it takes more cells than a line has.
  private static func isLong(wordFrom start: Int, _ glyphs: [Glyph], _ width: Int) -> Bool {
    var used = 0
    for glyph in glyphs[start...] {
      if glyph.scalar == " " { return false }
      used += glyph.width
      if used > width { return true }
    }
    return false
  }

  private static func painted(_ glyphs: [Glyph], _ options: RenderOptions) -> String {
    stretches(glyphs).map { Styling.paint($0.text, $0.style, options) }.joined()
  }

  /// Neighbours of one style as one.
  private static func stretches(_ glyphs: [Glyph]) -> [(text: String, style: Styling.Style)] {
    var result: [(text: String, style: Styling.Style)] = []
    var index = 0
    while index < glyphs.count {
      let style = glyphs[index].style
      var stretch = String.UnicodeScalarView()
      while index < glyphs.count, glyphs[index].style == style {
        stretch.append(glyphs[index].scalar)
        index += 1
      }
      result.append((String(stretch), style))
    }
    return result
  }
}

extension Styling.Style {
  /// The nearest ink of a drawing.
  fileprivate var ink: Drawing.Ink {
    switch self {
    case .plain, .green: .plain
    case .strong: .strong
    case .dim: .dim
    case .red, .yellow: .warning
    case .cyan: .water
    }
  }
}
