import Catalog

/// Breaks text into lines of so many cells, at spaces where there are any.
enum Wrapping {
  private struct Glyph {
    var text: String.UnicodeScalarView
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

  private static func isNewline(_ glyph: Glyph) -> Bool { glyph.text.first == "\n" }

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
        let width = options.cells.of(scalar)
        if width == 0, scalar != "\n", let last = glyphs.indices.last {
          glyphs[last].text.append(scalar)
        } else {
          glyphs.append(Glyph(text: String(scalar).unicodeScalars, width: width, style: style))
        }
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
        let isSpace = glyph.text.first == " "
        // A word that fits no line is broken where it stands: a line with only the words before it would help nobody.
        if let before = space, !isSpace, word(from: before + 1, glyphs) > width { space = nil }
        let end = isSpace ? index : space ?? index
        lines.append(Array(glyphs[start..<end]))
        start = isSpace ? index + 1 : space.map { $0 + 1 } ?? index
        index = start
        space = nil
        used = 0
        continue
      }
      if glyph.text.first == " " { space = index }
      used += glyph.width
      index += 1
    }
    lines.append(Array(glyphs[min(start, glyphs.count)...]))
    return lines
  }

  /// Cells from here to the next space.
  private static func word(from start: Int, _ glyphs: [Glyph]) -> Int {
    glyphs[start...].prefix { $0.text.first != " " }.reduce(0) { $0 + $1.width }
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
        stretch.append(contentsOf: glyphs[index].text)
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
