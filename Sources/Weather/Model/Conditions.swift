import Text

/// The weather now. Every part can be missing: the service leaves out what its stations do not tell.
package struct Conditions: Hashable, Sendable {
  /// Seconds since 1970 UTC: when it was measured.
  package var time: Int?
  /// Seconds east of UTC.
  package var offset: Int?
  package var sky: [Sky]
  /// °C, as are the next three. The lowest and highest are across the city now, not over the day.
  package var temperature: Double?
  package var feelsLike: Double?
  package var lowest: Double?
  package var highest: Double?
  /// hPa
  package var pressure: Double?
  /// Percent.
  package var humidity: Int?
  /// Metres, at most 10000.
  package var visibility: Int?
  package var wind: Wind?
  /// Percent.
  package var clouds: Int?
  /// mm in the last hour.
  package var rain: Double?
  package var snow: Double?
  /// Seconds since 1970 UTC; nil where the sun does not rise or set.
  package var sunrise: Int?
  package var sunset: Int?
  /// In Latin letters whatever the language.
  package var name: String?
  package var country: String?
}

/// One condition of the sky as the service numbers it; a moment can have several.
package struct Sky: Hashable, Sendable {
  package var id: Int?
  /// The service's words, in the language asked for.
  package var text: String?
  /// `10d`: one of nine pictures by day or night.
  package var icon: String?

  package init(id: Int?, text: String? = nil, icon: String? = nil) {
    self.id = id
    self.text = text
    self.icon = icon
  }
}

/// Where the wind comes from, and how hard.
package struct Wind: Hashable, Sendable {
  /// m/s
  package var speed: Double
  /// Degrees it comes from, clockwise from north; the service writes north as 0 and as 360.
  package var degrees: Double?
  /// m/s
  package var gust: Double?

  package init(speed: Double, degrees: Double?, gust: Double?) {
    self.speed = speed
    self.degrees = degrees
    self.gust = gust
  }

  /// 0 is north, then clockwise in steps of 45 degrees; nil where no direction is known.
  package var octant: Int? {
    guard let degrees, degrees.isFinite, abs(degrees) < 1e6 else { return nil }
    let turned = (degrees + 22.5).truncatingRemainder(dividingBy: 360)
    return Int(exactly: ((turned + 360).truncatingRemainder(dividingBy: 360) / 45).rounded(.down))
  }

  /// Points where the wind goes: one from the north blows down the page.
  package var arrow: String? { octant.map { ["↓", "↙", "←", "↖", "↑", "↗", "→", "↘"][$0 % 8] } }

  /// Where it comes from, in words.
  package var name: Wording? {
    let names = [
      Wording("N", ko: "북풍"), Wording("NE", ko: "북동풍"), Wording("E", ko: "동풍"), Wording("SE", ko: "남동풍"),
      Wording("S", ko: "남풍"), Wording("SW", ko: "남서풍"), Wording("W", ko: "서풍"), Wording("NW", ko: "북서풍"),
    ]
    return octant.map { names[$0 % 8] }
  }
}
