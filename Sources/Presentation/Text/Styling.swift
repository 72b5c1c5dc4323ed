import Catalog

/// Colours a stretch of harmless text; plain where colours are off.
enum Styling {
  enum Style: String {
    case plain = ""
    case strong = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  static func paint(_ text: String, _ style: Style, _ options: RenderOptions) -> String {
    guard options.colors, style != .plain, !text.isEmpty else { return text }
    return "\u{1B}[" + style.rawValue + "m" + text + "\u{1B}[0m"
  }

  static func paint(_ text: String, ink: Drawing.Ink, _ options: RenderOptions) -> String {
    switch ink {
    case .plain: text
    case .dim: paint(text, .dim, options)
    case .strong: paint(text, .strong, options)
    case .warning: paint(text, .yellow, options)
    case .water: paint(text, .cyan, options)
    case .palette(let color):
      options.colors && !text.isEmpty ? "\u{1B}[38;5;\(color)m" + text + "\u{1B}[0m" : text
    }
  }

  static func style(of meaning: Meaning) -> Style {
    switch meaning {
    case .plain, .value, .foreign, .field: .plain
    case .command: .cyan
    case .before: .red
    case .after: .green
    case .dim: .dim
    case .strong: .strong
    }
  }
}
