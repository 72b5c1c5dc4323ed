import Foundation

/// Clothing and bags.
extension ProductArt {
  static func shirt(_ canvas: inout Canvas, _ palette: Palette) {
    let left = points(38, 20, 28, 24, 11, 42, 22, 53, 30, 46, 30, 82)
    let right = points(70, 82, 70, 46, 78, 53, 89, 42, 72, 24, 62, 20)
    let neck = Shape.arc(Point(50, 20), across: 12, down: 9, from: 0, to: .pi)
    canvas.fill(.ellipse(Point(50, 20), across: 12, down: 3.5), .plain(palette.dark))
    canvas.fill(.polygon(left + right + neck), .gradient(palette.light, palette.main))
    canvas.fill(
      .line(Shape.arc(Point(50, 20), across: 12, down: 9, from: 0, to: .pi), width: 2.4), .plain(palette.dark))
    canvas.fill(.line(points(30, 46, 30, 38), width: 0.9), .plain(palette.dark))
    canvas.fill(.line(points(70, 46, 70, 38), width: 0.9), .plain(palette.dark))
    canvas.fill(.box(x: 30, y: 50, width: 40, height: 5), .plain(palette.highlight))
    canvas.fill(.box(x: 30, y: 57, width: 40, height: 5), .plain(palette.accent))
    canvas.fill(
      .polygon(points(64, 46, 70, 46, 70, 82, 62, 82)), .plain(Pixel(red: 20, green: 20, blue: 50, alpha: 28)))
  }

  static func shoe(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(
      .polygon(
        Shape.curve(points(12, 75, 12, 58, 16, 44)) + Shape.curve(points(20, 44, 30, 50, 38, 40, 42, 38))
          + Shape.curve(points(46, 40, 58, 54, 76, 59, 88, 66, 90, 75))),
      .gradient(palette.light, palette.main))
    canvas.fill(.blob(points(12, 75, 12, 60, 22, 58, 28, 75)), .plain(palette.dark))
    canvas.fill(.blob(points(70, 75, 74, 62, 86, 66, 90, 75)), .plain(palette.dark))
    canvas.fill(
      .line(Shape.curve(points(28, 70, 42, 69, 56, 62, 66, 58)), width: 4.4), .plain(palette.highlight))
    for step in 0..<4 {
      let (x, y) = (44.0 + Double(step) * 5, 42.0 + Double(step) * 4.2)
      canvas.fill(.line(points(x, y, x - 5, y + 5), width: 1.8), .plain(palette.highlight))
    }
    canvas.fill(.box(x: 10, y: 73, width: 81, height: 9, round: 4), .gradient(palette.highlight, palette.metal))
    canvas.fill(.box(x: 12, y: 79, width: 77, height: 3, round: 1.5), .plain(palette.accentDark))
  }

  static func bag(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(
      .line(Shape.arc(Point(50, 40), across: 16, down: 22, from: .pi, to: 2 * .pi), width: 3), .plain(palette.woodDark))
    canvas.fill(.polygon(points(24, 38, 76, 38, 82, 83, 18, 83)), .gradient(palette.light, palette.dark))
    canvas.fill(.polygon(points(24, 38, 76, 38, 77.2, 47, 22.8, 47)), .plain(palette.dark))
    canvas.fill(
      .line(Shape.arc(Point(50, 44), across: 13, down: 18, from: .pi, to: 2 * .pi), width: 3), .plain(palette.wood))
    for x in [37.0, 63] { canvas.fill(.circle(Point(x, 45), 2.2), .plain(palette.metal)) }
    canvas.fill(.box(x: 40, y: 56, width: 20, height: 13, round: 2), .plain(palette.accent))
    canvas.fill(.box(x: 43, y: 60, width: 14, height: 1.8, round: 0.9), .plain(palette.highlight))
    canvas.fill(.box(x: 45, y: 63.6, width: 10, height: 1.6, round: 0.8), .plain(palette.highlight))
  }

  static func umbrella(_ canvas: inout Canvas, _ palette: Palette) {
    let handle = points(50, 20, 50, 74) + Shape.arc(Point(56, 75), across: 6, down: 7, from: .pi, to: 0)
    canvas.fill(.line(handle, width: 2.6), .plain(palette.woodDark))
    canvas.fill(.line(points(50, 12, 50, 18), width: 1.8), .plain(palette.outline))
    let rim = (0..<4).flatMap { index in
      Shape.arc(Point(79.5 - Double(index) * 19.5 - 0.25, 52), across: 9.75, down: 5, from: 0, to: -.pi)
    }
    let dome = Shape.arc(Point(50, 52), across: 39, down: 36, from: .pi, to: 2 * .pi)
    canvas.fill(.polygon(dome + rim), .gradient(palette.light, palette.main))
    canvas.fill(
      .polygon(
        Shape.curve(points(50, 16, 36, 30, 30.5, 52))
          + Shape.arc(Point(40, 52), across: 9.75, down: 5, from: .pi, to: 2 * .pi)
          + points(50, 52)), .plain(palette.accent))
    canvas.fill(
      .polygon(
        Shape.curve(points(50, 16, 64, 30, 69.5, 52))
          + Shape.arc(Point(79.5, 52), across: 9.75, down: 5, from: .pi, to: 2 * .pi)
          + Shape.curve(points(89, 52, 78, 26, 50, 16))), .plain(palette.dark))
  }

  static func backpack(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(
      .line(Shape.arc(Point(50, 22), across: 8, down: 9, from: .pi, to: 2 * .pi), width: 3), .plain(palette.outline))
    for x in [20.0, 70] { canvas.fill(.box(x: x, y: 50, width: 10, height: 30, round: 4), .plain(palette.dark)) }
    canvas.fill(
      .blob(points(50, 17, 68, 22, 74, 42, 75, 76, 66, 83, 50, 83.6, 34, 83, 25, 76, 26, 42, 32, 22)),
      .gradient(palette.light, palette.main))
    canvas.fill(
      .line(Shape.arc(Point(50, 44), across: 21, down: 17, from: .pi, to: 2 * .pi), width: 1.4), .plain(palette.dark))
    canvas.fill(.box(x: 31, y: 53, width: 38, height: 26, round: 5), .gradient(palette.main, palette.dark))
    canvas.fill(.box(x: 34, y: 59, width: 32, height: 1.4, round: 0.7), .plain(palette.outline))
    canvas.fill(.box(x: 55, y: 58.4, width: 2.6, height: 7, round: 1.3), .plain(palette.accent))
    canvas.fill(.box(x: 44, y: 36, width: 12, height: 9, round: 2), .plain(palette.accent))
  }
}

/// Leisure goods.
extension ProductArt {
  static func bicycle(_ canvas: inout Canvas, _ palette: Palette) {
    for x in [25.0, 75] {
      let hub = Point(x, 66)
      canvas.fill(.ring(hub, 16, width: 2.6), .plain(palette.outline))
      canvas.fill(.ring(hub, 14, width: 0.8), .plain(palette.metalDark))
      for spoke in 0..<8 {
        let angle = Double(spoke) * .pi / 4 + 0.2
        let end = Point(hub.x + 14 * cos(angle), hub.y + 14 * sin(angle))
        canvas.fill(.line([hub, end], width: 0.5), .plain(palette.metalDark))
      }
      canvas.fill(.circle(hub, 2), .plain(palette.inkLight))
    }
    let frame = [points(25, 66, 47, 66, 66, 42, 38, 42, 25, 66), points(47, 66, 36, 34), points(64, 34, 75, 66)]
    for tube in frame { canvas.fill(.line(tube, width: 2.8), .plain(palette.main)) }
    canvas.fill(.line(points(66, 42, 38, 42), width: 1), .plain(palette.light))
    canvas.fill(.line(Shape.curve(points(58, 31, 64, 32, 70, 30, 72, 34)), width: 2.2), .plain(palette.outline))
    canvas.fill(.blob(points(29, 33, 36, 31.5, 44, 32, 41, 34.5, 33, 36)), .plain(palette.outline))
    canvas.fill(.ring(Point(47, 66), 4.4, width: 1.4), .plain(palette.metalDark))
    canvas.fill(.line(points(44, 60, 50, 72), width: 1.6), .plain(palette.outline))
    canvas.fill(.line(points(48, 72.6, 53, 72.6), width: 1.6), .plain(palette.outline))
    canvas.fill(.line(points(41, 59.6, 46, 59.6), width: 1.6), .plain(palette.outline))
  }

  static func guitar(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.box(x: 46, y: 8, width: 8, height: 11, round: 2), .plain(palette.outline))
    for y in [10.5, 13.5, 16.5] {
      for x in [45.0, 55] { canvas.fill(.circle(Point(x, y), 1.2), .plain(palette.metalDark)) }
    }
    let body = points(50, 45, 62, 47, 64, 55, 61, 60, 68, 68, 67, 79, 50, 84, 33, 79, 32, 68, 39, 60, 36, 55, 38, 47)
    canvas.fill(.blob(body.map { Point($0.x + 1, $0.y + 1) }), .plain(palette.dark))
    canvas.fill(.blob(body), .gradient(palette.light, palette.main))
    canvas.fill(.circle(Point(50, 62), 7.4), .plain(palette.wood))
    canvas.fill(.circle(Point(50, 62), 6), .plain(palette.outline))
    canvas.fill(.box(x: 47.4, y: 18, width: 5.2, height: 40), .plain(palette.woodDark))
    for fret in 0..<8 {
      canvas.fill(.box(x: 47.4, y: 22 + Double(fret) * 4, width: 5.2, height: 0.6), .plain(palette.metal))
    }
    canvas.fill(.box(x: 42, y: 73, width: 16, height: 3, round: 1), .plain(palette.woodDark))
    for x in [48.4, 49.5, 50.5, 51.6] {
      canvas.fill(.box(x: x - 0.15, y: 12, width: 0.3, height: 62), .plain(palette.highlight))
    }
  }

  static func ball(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.circle(Point(50, 53), 30), .gradient(palette.light, palette.dark))
    let seams = [
      points(20, 53, 80, 53), points(50, 23, 50, 83), Shape.curve(points(29, 32, 38, 43, 38, 63, 29, 74)),
      Shape.curve(points(71, 32, 62, 43, 62, 63, 71, 74)),
    ]
    for seam in seams { canvas.fill(.line(seam, width: 1.8), .plain(palette.outline)) }
    canvas.fill(.ring(Point(50, 53), 29.4, width: 1.4), .plain(palette.outline))
    canvas.fill(
      .ellipse(Point(40, 36), across: 7, down: 4.5), .plain(Pixel(red: 255, green: 255, blue: 255, alpha: 90)))
  }
}
