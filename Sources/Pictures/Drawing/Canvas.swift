/// A square to draw flat pictures on, with smooth edges; the same calls give the same bytes every time.
package struct Canvas: Sendable {
  private static let linesPerRow = 4

  package private(set) var bitmap: Bitmap
  private let side: Int
  private let unit: Double

  /// `side` in pixels; shapes are given in hundredths of it.
  package init(side: Int, ground: Paint) {
    bitmap = Bitmap(width: side, height: side, fill: ground.top)
    self.side = side
    unit = Double(side) / 100
    fill(.box(0, 0, 100, 100), ground)
  }

  /// Paints the inside of a shape; its edge is smoothed.
  package mutating func fill(_ shape: Shape, _ paint: Paint) {
    let edges = shape.outlines.flatMap(edges(of:))
    guard let top = edges.map(\.top).min(), let bottom = edges.map(\.bottom).max() else { return }
    let (first, last) = (whole(top), whole(bottom))
    guard first < last + 1, first < side, bottom > 0 else { return }
    var cover = [Double](repeating: 0, count: side)
    for row in max(0, first)...max(0, min(side - 1, last)) {
      let near = edges.filter { $0.bottom > Double(row) && $0.top < Double(row + 1) }
      guard let range = measure(near, row, into: &cover) else { continue }
      lay(paint.colour(row - first, of: last - first), cover, range, row)
      for column in range { cover[column] = 0 }
    }
  }

  /// A soft shadow under something that stands there; darkest in the middle.
  package mutating func shadow(_ center: Point, _ across: Double, _ down: Double) {
    for step in 1...8 {
      let part = Double(step) / 8
      fill(.ellipse(center, across * part, down * part), .plain(Pixel(20, 20, 40, 12)))
    }
  }

  /// One side of an outline, in pixels, from its upper to its lower end.
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

  /// Adds up how much of each pixel of a row lies inside; nil when none does.
  private func measure(_ edges: [Edge], _ row: Int, into cover: inout [Double]) -> Range<Int>? {
    var (left, right) = (side, 0)
    for line in 0..<Self.linesPerRow {
      let y = Double(row) + (Double(line) + 0.5) / Double(Self.linesPerRow)
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
          cover[column] += inside / Double(Self.linesPerRow)
        }
        (left, right) = (min(left, first), max(right, last + 1))
      }
    }
    return left < right ? left..<right : nil
  }

  private mutating func lay(_ colour: Pixel, _ cover: [Double], _ range: Range<Int>, _ row: Int) {
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

/// The whole number at or below `number`; 0 for what is none.
private func whole(_ number: Double) -> Int { Int(exactly: number.rounded(.down)) ?? 0 }

/// What a shape is filled with: one colour, or two that run into each other from its top to its bottom.
package struct Paint: Hashable, Sendable {
  package var top: Pixel
  package var bottom: Pixel

  package static func plain(_ colour: Pixel) -> Paint { Paint(top: colour, bottom: colour) }
  package static func gradient(_ top: Pixel, _ bottom: Pixel) -> Paint { Paint(top: top, bottom: bottom) }

  /// The colour `part` of `whole` rows down.
  func colour(_ part: Int, of whole: Int) -> Pixel {
    guard top != bottom, whole > 0 else { return top }
    func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
      UInt8(clamping: (Int(from) * (whole - part) + Int(to) * part) / whole)
    }
    return Pixel(
      mix(top.red, bottom.red), mix(top.green, bottom.green), mix(top.blue, bottom.blue), mix(top.alpha, bottom.alpha))
  }
}

/// A place on a canvas, in hundredths of its side from the upper left corner.
package struct Point: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(_ x: Double, _ y: Double) {
    (self.x, self.y) = (x, y)
  }
}
