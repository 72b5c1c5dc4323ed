import Foundation

/// Outlines that are filled together (nonzero winding rule, so that overlapping parts join), in hundredths of the side.
package struct Shape: Hashable, Sendable {
  package var outlines: [[Point]]

  package init(_ outlines: [[Point]]) { self.outlines = outlines }

  package static func polygon(_ corners: [Point]) -> Shape { Shape([corners]) }

  package static func ellipse(_ center: Point, across: Double, down: Double) -> Shape {
    Shape([arc(center, across: across, down: down, from: 0, to: 2 * .pi)])
  }

  package static func circle(_ center: Point, _ radius: Double) -> Shape {
    ellipse(center, across: radius, down: radius)
  }

  /// Returns a rectangle with rounded corners.
  package static func box(x: Double, y: Double, width: Double, height: Double, round: Double = 0) -> Shape {
    let radius = min(round, width / 2, height / 2)
    guard radius > 0 else {
      return polygon([Point(x, y), Point(x + width, y), Point(x + width, y + height), Point(x, y + height)])
    }
    let (left, right, top, bottom) = (x + radius, x + width - radius, y + radius, y + height - radius)
    let corners = [Point(right, bottom), Point(left, bottom), Point(left, top), Point(right, top)]
    return Shape([
      corners.enumerated().flatMap { index, corner in
        let start = Double(index) * .pi / 2
        return arc(corner, across: radius, down: radius, from: start, to: start + .pi / 2)
      }
    ])
  }

  /// Returns a closed curve through all points.
  package static func blob(_ points: [Point]) -> Shape { Shape([curve(points, closed: true)]) }

  /// Returns a line of constant width with round caps and joins.
  package static func line(_ points: [Point], width: Double) -> Shape {
    let joints = points.map { arc($0, across: width / 2, down: width / 2, from: 0, to: 2 * .pi) }
    let pieces = zip(points, points.dropFirst()).compactMap { segmentQuad($0, $1, width: width) }
    return Shape(joints + pieces)
  }

  /// Returns a circle drawn as a line.
  package static func ring(_ center: Point, _ radius: Double, width: Double) -> Shape {
    let outer = arc(center, across: radius + width / 2, down: radius + width / 2, from: 0, to: 2 * .pi)
    let inner = arc(center, across: radius - width / 2, down: radius - width / 2, from: 0, to: 2 * .pi)
    return Shape([outer, inner.reversed()])
  }

  /// Returns the points of an elliptic arc; angles in radians, clockwise from the right.
  package static func arc(
    _ center: Point, across: Double, down: Double, from start: Double, to end: Double
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
      let points = (-1...2).map { at(index + $0) }
      return (0..<10).map { step -> Point in
        Point(catmullRom(points.map(\.x), at: Double(step) / 10), catmullRom(points.map(\.y), at: Double(step) / 10))
      }
    }
    return closed ? bends : bends + [at(count - 1)]
  }

  /// Returns a coordinate between the second and the third of four points, `t` from 0 to 1 of the way.
  private static func catmullRom(_ points: [Double], at t: Double) -> Double {
    let (a, b, c, d) = (points[0], points[1], points[2], points[3])
    let cubic = 3 * b - a - 3 * c + d
    let square = 2 * a - 5 * b + 4 * c - d
    return (2 * b + (c - a) * t + square * t * t + cubic * t * t * t) / 2
  }

  /// Returns a segment of a line, with the same winding as ``arc(_:across:down:from:to:)``, so that segments and joins add up.
  private static func segmentQuad(_ a: Point, _ b: Point, width: Double) -> [Point]? {
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
      red: mix(top.red, bottom.red), green: mix(top.green, bottom.green), blue: mix(top.blue, bottom.blue),
      alpha: mix(top.alpha, bottom.alpha))
  }
}

/// The colors of a drawing, selected by a seed and always harmonious.
package struct Palette: Hashable, Sendable {
  package var groundTop, groundBottom: Pixel
  /// The colors of the object: lit, normal and shaded.
  package var light, main, dark: Pixel
  package var accent, accentDark: Pixel
  package let metal = Pixel(red: 206, green: 211, blue: 220)
  package let metalDark = Pixel(red: 150, green: 157, blue: 170)
  package let outline = Pixel(red: 44, green: 48, blue: 62)
  package let inkLight = Pixel(red: 78, green: 84, blue: 102)
  package let highlight = Pixel(red: 250, green: 248, blue: 243)
  package let wood = Pixel(red: 196, green: 146, blue: 98)
  package let woodDark = Pixel(red: 150, green: 105, blue: 66)
  package let leaf = Pixel(red: 86, green: 160, blue: 104)
  package let leafDark = Pixel(red: 52, green: 118, blue: 78)

  package init(seed: UInt64) {
    // A hash, so that neighbouring seeds give different colors.
    var random = SeededGenerator(seed: seed)
    let mixed = random.next()
    let hue = Double(mixed % 360)
    let other = hue + [35, 150, 180, 210][Int(mixed >> 20 & 3)]
    groundTop = Self.colour(hue: hue + 180, saturation: 0.38, lightness: 0.955)
    groundBottom = Self.colour(hue: hue + 195, saturation: 0.32, lightness: 0.855)
    light = Self.colour(hue: hue, saturation: 0.62, lightness: 0.66)
    main = Self.colour(hue: hue, saturation: 0.58, lightness: 0.54)
    dark = Self.colour(hue: hue, saturation: 0.56, lightness: 0.41)
    accent = Self.colour(hue: other, saturation: 0.72, lightness: 0.62)
    accentDark = Self.colour(hue: other, saturation: 0.6, lightness: 0.47)
  }

  /// Returns a color from a hue in degrees and saturation and lightness from 0 to 1 (CSS Color 3, section 4.2.4).
  private static func colour(hue: Double, saturation: Double, lightness: Double) -> Pixel {
    let reach = saturation * min(lightness, 1 - lightness)
    func channel(_ offset: Double) -> UInt8 {
      let position = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
      let value = lightness - reach * max(-1, min(position - 3, 9 - position, 1))
      return UInt8(exactly: (value * 255).rounded()) ?? 0
    }
    return Pixel(red: channel(0), green: channel(8), blue: channel(4))
  }
}
