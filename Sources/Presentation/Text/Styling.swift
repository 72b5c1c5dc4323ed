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
