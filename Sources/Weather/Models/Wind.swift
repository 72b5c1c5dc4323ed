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
  package var name: Phrase? {
    let names = [
      Phrase("N", ko: "북풍"), Phrase("NE", ko: "북동풍"), Phrase("E", ko: "동풍"), Phrase("SE", ko: "남동풍"),
      Phrase("S", ko: "남풍"), Phrase("SW", ko: "남서풍"), Phrase("W", ko: "서풍"), Phrase("NW", ko: "북서풍"),
    ]
    return octant.map { names[$0 % 8] }
  }
}
