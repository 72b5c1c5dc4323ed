extension WeatherView {
  /// A stretch of text of one role; the text is harmless and ready to print.
  package struct Span: Hashable, Sendable {
    package var text: String
    package var role: Role

    package init(_ text: String, _ role: Role = .plain) {
      self.text = text
      self.role = role
    }
  }

  /// What a stretch means; colours are somebody else's.
  package enum Role: Hashable, Sendable {
    case plain
    case dim
    case strong
    /// A step of `TemperatureRamp`, cold to hot.
    case temperature(Int)
    case rain
    case warning
  }
}
