/// A square canvas for flat pictures with antialiased edges.
///
/// Drawing is deterministic: equal calls give equal bytes.
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
    fill(.box(x: 0, y: 0, width: 100, height: 100), ground)
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
      blend(paint.colour(row - first, of: last - first), cover: cover, in: range, row: row)
      for column in range { cover[column] = 0 }
    }
  }

  /// Draws a soft shadow, darkest in the middle, under an object.
  package mutating func shadow(_ center: Point, across: Double, down: Double) {
    for step in 1...8 {
      let part = Double(step) / 8
      fill(
        .ellipse(center, across: across * part, down: down * part),
        .plain(Pixel(red: 20, green: 20, blue: 40, alpha: 12)))
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
          let isBetween = column > first && column < last
          let inside = isBetween ? 1 : min(end, Double(column + 1)) - max(start, Double(column))
          cover[column] += inside / Double(Self.subsamplesPerRow)
        }
        (left, right) = (min(left, first), max(right, last + 1))
      }
    }
    return left < right ? left..<right : nil
  }

  private mutating func blend(_ colour: Pixel, cover: [Double], in range: Range<Int>, row: Int) {
    let start = row * side * 4
    bitmap.pixels.withUnsafeMutableBufferPointer { bytes in
      for column in range {
        let alpha = cover[column] == 1 ? Int(colour.alpha) : whole(cover[column] * Double(colour.alpha) + 0.5)
        let at = start + column * 4
        func mix(_ value: UInt8, into channel: Int) {
          let mixed = Int(value) * alpha + Int(bytes[at + channel]) * (255 - alpha)
          bytes[at + channel] = UInt8(clamping: (mixed + 127) / 255)
        }
        mix(colour.red, into: 0)
        mix(colour.green, into: 1)
        mix(colour.blue, into: 2)
        mix(255, into: 3)
      }
    }
  }
}

/// Returns the number rounded down; 0 if it is not finite.
func whole(_ number: Double) -> Int { Int(exactly: number.rounded(.down)) ?? 0 }
