import Text

/// The direction and speed of the wind.
package struct Wind: Hashable, Sendable {
  /// The speed in m/s.
  package var speed: Double
  /// The direction that the wind comes from, in degrees clockwise from north.
  ///
  /// The service writes north as 0 or 360.
  package var degrees: Double?
  /// The gusts in m/s.
  package var gust: Double?

  package init(speed: Double, degrees: Double?, gust: Double?) {
    self.speed = speed
    self.degrees = degrees
    self.gust = gust
  }

  /// The direction in steps of 45 degrees clockwise, 0 for north; `nil` if unknown.
  package var octant: Int? {
    guard let degrees, degrees.isFinite, abs(degrees) < 1e6 else { return nil }
    let turned = (degrees + 22.5).truncatingRemainder(dividingBy: 360)
    return Int(exactly: ((turned + 360).truncatingRemainder(dividingBy: 360) / 45).rounded(.down))
  }

  /// An arrow in the direction the wind blows to: a north wind blows down the page.
  package var arrow: String? { octant.map { ["↓", "↙", "←", "↖", "↑", "↗", "→", "↘"][$0 % 8] } }

  /// The name of the wind by its direction.
  package var name: LocalizedText? {
    let names = [
      LocalizedText("N", ko: "북풍"), LocalizedText("NE", ko: "북동풍"), LocalizedText("E", ko: "동풍"),
      LocalizedText("SE", ko: "남동풍"),
      LocalizedText("S", ko: "남풍"), LocalizedText("SW", ko: "남서풍"), LocalizedText("W", ko: "서풍"),
      LocalizedText("NW", ko: "북서풍"),
    ]
    return octant.map { names[$0 % 8] }
  }
}
