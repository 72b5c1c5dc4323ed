import Foundation

/// Outlines that are filled together (nonzero winding rule, so that overlapping parts join), in hundredths of the side.
package struct Shape: Hashable, Sendable {
  package var outlines: [[Point]]

  package init(_ outlines: [[Point]]) { self.outlines = outlines }

  package static func polygon(_ corners: [Point]) -> Shape { Shape([corners]) }

  package static func ellipse(_ center: Point, _ across: Double, _ down: Double) -> Shape {
    Shape([arc(center, across, down, from: 0, to: 2 * .pi)])
  }

  package static func circle(_ center: Point, _ radius: Double) -> Shape { ellipse(center, radius, radius) }

  /// Returns a rectangle with rounded corners.
  package static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, round: Double = 0) -> Shape {
    let radius = min(round, width / 2, height / 2)
    guard radius > 0 else {
      return polygon([Point(x, y), Point(x + width, y), Point(x + width, y + height), Point(x, y + height)])
    }
    let (left, right, top, bottom) = (x + radius, x + width - radius, y + radius, y + height - radius)
    let corners = [Point(right, bottom), Point(left, bottom), Point(left, top), Point(right, top)]
    return Shape([
      corners.enumerated().flatMap { index, corner in
        let start = Double(index) * .pi / 2
        return arc(corner, radius, radius, from: start, to: start + .pi / 2)
      }
    ])
  }

  /// Returns a closed curve through all points.
  package static func blob(_ points: [Point]) -> Shape { Shape([curve(points, closed: true)]) }

  /// Returns a line of constant width with round caps and joins.
  package static func line(_ points: [Point], width: Double) -> Shape {
    let joints = points.map { arc($0, width / 2, width / 2, from: 0, to: 2 * .pi) }
    let pieces = zip(points, points.dropFirst()).compactMap { segmentQuad($0, $1, width) }
    return Shape(joints + pieces)
  }

  /// Returns a circle drawn as a line.
  package static func ring(_ center: Point, _ radius: Double, width: Double) -> Shape {
    let outer = arc(center, radius + width / 2, radius + width / 2, from: 0, to: 2 * .pi)
    let inner = arc(center, radius - width / 2, radius - width / 2, from: 0, to: 2 * .pi)
    return Shape([outer, inner.reversed()])
  }

  /// Returns the points of an elliptic arc; angles in radians, clockwise from the right.
  package static func arc(
    _ center: Point, _ across: Double, _ down: Double, from start: Double, to end: Double
  ) -> [Point] {
    let steps = 12 + (max(across, down) > 8 ? 28 : 0)
    return (0...steps).map { step in
      let angle = start + (end - start) * Double(step) / Double(steps)
      return Point(center.x + across * cos(angle), center.y + down * sin(angle))
    }
  }

  /// Returns a curve through all points (Catmull-Rom).
  package static func curve(_ points: [Point], closed: Bool = false) -> [Point] {
    guard points.count > 2 else { return points }
    let count = points.count
    func at(_ index: Int) -> Point {
      closed ? points[(index + count) % count] : points[min(max(index, 0), count - 1)]
    }
    let pieces = closed ? count : count - 1
    let bends: [Point] = (0..<pieces).flatMap { index in
      let (before, from, to, after) = (at(index - 1), at(index), at(index + 1), at(index + 2))
      return (0..<10).map { step -> Point in catmullRom(before, from, to, after, Double(step) / 10) }
    }
    return closed ? bends : bends + [at(count - 1)]
  }

  private static func catmullRom(_ a: Point, _ b: Point, _ c: Point, _ d: Point, _ t: Double) -> Point {
    func mix(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
      let cubic = 3 * b - a - 3 * c + d
      let square = 2 * a - 5 * b + 4 * c - d
      return (2 * b + (c - a) * t + square * t * t + cubic * t * t * t) / 2
    }
    return Point(mix(a.x, b.x, c.x, d.x), mix(a.y, b.y, c.y, d.y))
  }

  /// Returns a segment of a line, with the same winding as ``arc(_:_:_:from:to:)``, so that segments and joins add up.
  private static func segmentQuad(_ a: Point, _ b: Point, _ width: Double) -> [Point]? {
    let length = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
    guard length > 0 else { return nil }
    let (x, y) = ((a.y - b.y) / length * width / 2, (b.x - a.x) / length * width / 2)
    return [Point(a.x - x, a.y - y), Point(b.x - x, b.y - y), Point(b.x + x, b.y + y), Point(a.x + x, a.y + y)]
  }
}

/// A position on a canvas, in hundredths of its side from the upper left corner.
package struct Point: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    (self.x, self.y) = (x, y)
  }
}

/// The fill of a shape: one color, or a vertical gradient of two.
package struct Paint: Hashable, Sendable {
  package var top: Pixel
  package var bottom: Pixel

  package static func plain(_ colour: Pixel) -> Paint { Paint(top: colour, bottom: colour) }
  package static func gradient(_ top: Pixel, _ bottom: Pixel) -> Paint { Paint(top: top, bottom: bottom) }

  /// Returns the color after `part` of `whole` rows.
  func colour(_ part: Int, of whole: Int) -> Pixel {
    guard top != bottom, whole > 0 else { return top }
    func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
      UInt8(clamping: (Int(from) * (whole - part) + Int(to) * part) / whole)
    }
    return Pixel(
      mix(top.red, bottom.red), mix(top.green, bottom.green), mix(top.blue, bottom.blue), mix(top.alpha, bottom.alpha))
  }
}

/// The colors of a drawing, selected by a seed and always harmonious.
package struct Palette: Hashable, Sendable {
  package var groundTop, groundBottom: Pixel
  /// The colors of the object: lit, normal and shaded.
  package var light, main, dark: Pixel
  package var accent, accentDark: Pixel
  package let metal = Pixel(206, 211, 220)
  package let metalDark = Pixel(150, 157, 170)
  package let outline = Pixel(44, 48, 62)
  package let inkLight = Pixel(78, 84, 102)
  package let highlight = Pixel(250, 248, 243)
  package let wood = Pixel(196, 146, 98)
  package let woodDark = Pixel(150, 105, 66)
  package let leaf = Pixel(86, 160, 104)
  package let leafDark = Pixel(52, 118, 78)

  package init(seed: UInt64) {
    // A hash, so that neighbouring seeds give different colors.
    var random = SeededGenerator(seed: seed)
    let mixed = random.next()
    let hue = Double(mixed % 360)
    let other = hue + [35, 150, 180, 210][Int(mixed >> 20 & 3)]
    groundTop = Self.colour(hue + 180, 0.38, 0.955)
    groundBottom = Self.colour(hue + 195, 0.32, 0.855)
    light = Self.colour(hue, 0.62, 0.66)
    main = Self.colour(hue, 0.58, 0.54)
    dark = Self.colour(hue, 0.56, 0.41)
    accent = Self.colour(other, 0.72, 0.62)
    accentDark = Self.colour(other, 0.6, 0.47)
  }

  /// Returns a color from a hue in degrees and saturation and lightness from 0 to 1 (CSS Color 3, section 4.2.4).
  private static func colour(_ hue: Double, _ saturation: Double, _ lightness: Double) -> Pixel {
    let reach = saturation * min(lightness, 1 - lightness)
    func channel(_ offset: Double) -> UInt8 {
      let place = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
      let value = lightness - reach * max(-1, min(place - 3, 9 - place, 1))
      return UInt8(exactly: (value * 255).rounded()) ?? 0
    }
    return Pixel(channel(0), channel(8), channel(4))
  }
}
