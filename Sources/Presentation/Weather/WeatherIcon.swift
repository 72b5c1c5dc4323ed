import WeatherAPI

/// The appearance of the sky, in the nine pictures of the service.
package enum WeatherIcon: Hashable, Sendable, CaseIterable {
  case clear, fewClouds, clouds, overcast, shower, rain, thunder, snow, mist
  case unknown

  /// Creates the picture from the icon's code, else the condition's number, else its group.
  package init(_ condition: WeatherCondition?) {
    switch condition?.icon?.prefix(2) {
    case "01": self = .clear
    case "02": self = .fewClouds
    case "03": self = .clouds
    case "04": self = .overcast
    case "09": self = .shower
    case "10": self = .rain
    case "11": self = .thunder
    case "13": self = .snow
    case "50": self = .mist
    default: self = condition?.id.map(WeatherIcon.init(id:)) ?? .unknown
    }
  }

  package init(id: Int) {
    switch id {
    case 800: self = .clear
    case 801: self = .fewClouds
    case 802: self = .clouds
    case 803...899: self = .overcast
    case 511: self = .snow
    case 520...599, 300...399: self = .shower
    case 500...519: self = .rain
    case 200...299: self = .thunder
    case 600...699: self = .snow
    case 700...799: self = .mist
    default: self = .unknown
    }
  }

  /// Returns one or two cells of characters whose width is the same on all terminals.
  func glyph(isNight: Bool, ascii: Bool) -> String {
    switch self {
    case .clear: ascii ? (isNight ? ")" : "o") : (isNight ? "☾" : "☀")
    case .fewClouds: ascii ? "m" : "⛅"
    case .clouds: ascii ? "mm" : "☁"
    case .overcast: ascii ? "MM" : "☁"
    case .shower: ascii ? "." : "☂"
    case .rain: ascii ? "/" : "☔"
    case .thunder: ascii ? "/!" : "⚡"
    case .snow: ascii ? "*" : "❄"
    case .mist: ascii ? "=" : "≋"
    case .unknown: "?"
    }
  }

  /// The width of `art` in cells.
  static let artWidth = 11

  /// Returns a picture in five lines of ASCII.
  func art(isNight: Bool) -> [String] {
    switch self {
    case .clear where isNight: ["     _.", "   .' /", "   | |", "   '. \\", "     `-'"]
    case .clear: ["   \\ | /", "    .-.", " - (   ) -", "    `-'", "   / | \\"]
    case .fewClouds: ["  \\ |", "  .-.__", " -( (  ).", "  (_____)", ""]
    case .clouds: ["", "    .--.", "  .(    ).", " (___.___)", ""]
    case .overcast: ["   .--.", " .(  .--.", "(__.(    ).", "  (___.___)", ""]
    case .shower: ["   .--.", " .(    ).", "(___.___)", "  '  '  '", " '  '  '"]
    case .rain: ["   .--.", " .(    ).", "(___.___)", "  / / / /", " / / / /"]
    case .thunder: ["   .--.", " .(    ).", "(___.___)", "   /_ /_", "   /  /"]
    case .snow: ["   .--.", " .(    ).", "(___.___)", "  *  *  *", "   *  *"]
    case .mist: ["", " _ - _ - _", "  _ - _ -", " _ - _ - _", ""]
    case .unknown: ["    .-.", "   '   )", "      /", "     '", "     o"]
    }
  }
}
