import Foundation

/// A square canvas for flat pictures with antialiased edges.
///
/// The same calls always give the same bytes.
package struct Canvas: Sendable {
  private static let subsamplesPerRow = 4

  package private(set) var bitmap: Bitmap
  private let side: Int
  private let unit: Double

  /// Creates a canvas of `side` pixels.
  ///
  /// Shapes are given in hundredths of the side.
  package init(side: Int, ground: Paint) {
    bitmap = Bitmap(width: side, height: side, fill: ground.top)
    self.side = side
    unit = Double(side) / 100
    fill(.box(0, 0, 100, 100), ground)
  }

  /// Fills a shape with antialiased edges.
  package mutating func fill(_ shape: Shape, _ paint: Paint) {
    let edges = shape.outlines.flatMap(edges(of:))
    guard let top = edges.map(\.top).min(), let bottom = edges.map(\.bottom).max() else { return }
    let (first, last) = (whole(top), whole(bottom))
    guard first < last + 1, first < side, bottom > 0 else { return }
    var cover = [Double](repeating: 0, count: side)
    for row in max(0, first)...max(0, min(side - 1, last)) {
      let near = edges.filter { $0.bottom > Double(row) && $0.top < Double(row + 1) }
      guard let range = coverage(near, row, into: &cover) else { continue }
      blend(paint.colour(row - first, of: last - first), cover, range, row)
      for column in range { cover[column] = 0 }
    }
  }

  /// Draws a soft shadow, darkest in the middle, under an object.
  package mutating func shadow(_ center: Point, _ across: Double, _ down: Double) {
    for step in 1...8 {
      let part = Double(step) / 8
      fill(.ellipse(center, across * part, down * part), .plain(Pixel(20, 20, 40, 12)))
    }
  }

  /// An edge of an outline in pixels, from its upper to its lower end.
  private struct Edge {
    var top, bottom, x, slope: Double
    var winding: Int
  }

  private func edges(of outline: [Point]) -> [Edge] {
    guard outline.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return [] }
    return outline.indices.compactMap { index in
      let (from, to) = (outline[index], outline[(index + 1) % outline.count])
      guard from.y != to.y else { return nil }
      let (upper, lower) = from.y < to.y ? (from, to) : (to, from)
      return Edge(
        top: upper.y * unit, bottom: lower.y * unit, x: upper.x * unit,
        slope: (lower.x - upper.x) / (lower.y - upper.y), winding: from.y < to.y ? 1 : -1)
    }
  }

  /// Computes the coverage of each pixel of a row; returns the covered range, or `nil` if there is none.
  private func coverage(_ edges: [Edge], _ row: Int, into cover: inout [Double]) -> Range<Int>? {
    var (left, right) = (side, 0)
    for line in 0..<Self.subsamplesPerRow {
      let y = Double(row) + (Double(line) + 0.5) / Double(Self.subsamplesPerRow)
      let crossings = edges.filter { $0.top <= y && y < $0.bottom }
        .map { (x: $0.x + (y - $0.top) * $0.slope, winding: $0.winding) }
        .sorted { $0.x < $1.x }
      var (depth, start) = (0, 0.0)
      for crossing in crossings {
        if depth == 0 { start = max(0, crossing.x) }
        depth += crossing.winding
        let end = min(Double(side), crossing.x)
        guard depth == 0, end > start else { continue }
        let (first, last) = (whole(start), min(side - 1, whole(end)))
        for column in first...last {
          let inside = min(end, Double(column + 1)) - max(start, Double(column))
          cover[column] += inside / Double(Self.subsamplesPerRow)
        }
        (left, right) = (min(left, first), max(right, last + 1))
      }
    }
    return left < right ? left..<right : nil
  }

  private mutating func blend(_ colour: Pixel, _ cover: [Double], _ range: Range<Int>, _ row: Int) {
    let new = [Int(colour.red), Int(colour.green), Int(colour.blue), 255]
    let start = row * side * 4
    bitmap.pixels.withUnsafeMutableBufferPointer { bytes in
      for column in range {
        let alpha = whole(cover[column] * Double(colour.alpha) + 0.5)
        let at = start + column * 4
        for channel in 0..<4 {
          let mixed = new[channel] * alpha + Int(bytes[at + channel]) * (255 - alpha)
          bytes[at + channel] = UInt8(clamping: (mixed + 127) / 255)
        }
      }
    }
  }
}

/// Returns the number rounded down; 0 if it is not finite.
private func whole(_ number: Double) -> Int { Int(exactly: number.rounded(.down)) ?? 0 }

/// The fill of a shape: one color, or a vertical gradient of two.
package struct Paint: Hashable, Sendable {
  package var top: Pixel
  package var bottom: Pixel

  package static func plain(_ colour: Pixel) -> Paint { Paint(top: colour, bottom: colour) }
  package static func gradient(_ top: Pixel, _ bottom: Pixel) -> Paint { Paint(top: top, bottom: bottom) }

  /// Returns the color after `slice` of `whole` rows.
  func colour(_ part: Int, of whole: Int) -> Pixel {
    guard top != bottom, whole > 0 else { return top }
    func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
      UInt8(clamping: (Int(from) * (whole - part) + Int(to) * part) / whole)
    }
    return Pixel(
      mix(top.red, bottom.red), mix(top.green, bottom.green), mix(top.blue, bottom.blue), mix(top.alpha, bottom.alpha))
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
