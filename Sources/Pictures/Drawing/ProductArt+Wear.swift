/// Things to put on or carry.
extension ProductArt {
  static func shirt(_ canvas: inout Canvas, _ palette: Palette) {
    let left = points(38, 20, 28, 24, 11, 42, 22, 53, 30, 46, 30, 82)
    let right = points(70, 82, 70, 46, 78, 53, 89, 42, 72, 24, 62, 20)
    let neck = Shape.arc(Point(50, 20), 12, 9, from: 0, to: .pi)
    canvas.fill(.ellipse(Point(50, 20), 12, 3.5), .plain(palette.dark))
    canvas.fill(.polygon(left + right + neck), .gradient(palette.light, palette.main))
    canvas.fill(.line(Shape.arc(Point(50, 20), 12, 9, from: 0, to: .pi), width: 2.4), .plain(palette.dark))
    canvas.fill(.line(points(30, 46, 30, 38), width: 0.9), .plain(palette.dark))
    canvas.fill(.line(points(70, 46, 70, 38), width: 0.9), .plain(palette.dark))
    canvas.fill(.box(30, 50, 40, 5), .plain(palette.paper))
    canvas.fill(.box(30, 57, 40, 5), .plain(palette.accent))
    canvas.fill(.polygon(points(64, 46, 70, 46, 70, 82, 62, 82)), .plain(Pixel(20, 20, 50, 28)))
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
      .line(Shape.curve(points(28, 70, 42, 69, 56, 62, 66, 58)), width: 4.4), .plain(palette.paper))
    for step in 0..<4 {
      let (x, y) = (44.0 + Double(step) * 5, 42.0 + Double(step) * 4.2)
      canvas.fill(.line(points(x, y, x - 5, y + 5), width: 1.8), .plain(palette.paper))
    }
    canvas.fill(.box(10, 73, 81, 9, round: 4), .gradient(palette.paper, palette.metal))
    canvas.fill(.box(12, 79, 77, 3, round: 1.5), .plain(palette.accentDark))
  }

  static func bag(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.line(Shape.arc(Point(50, 40), 16, 22, from: .pi, to: 2 * .pi), width: 3), .plain(palette.woodDark))
    canvas.fill(.polygon(points(24, 38, 76, 38, 82, 83, 18, 83)), .gradient(palette.light, palette.dark))
    canvas.fill(.polygon(points(24, 38, 76, 38, 77.2, 47, 22.8, 47)), .plain(palette.dark))
    canvas.fill(.line(Shape.arc(Point(50, 44), 13, 18, from: .pi, to: 2 * .pi), width: 3), .plain(palette.wood))
    for x in [37.0, 63] { canvas.fill(.circle(Point(x, 45), 2.2), .plain(palette.metal)) }
    canvas.fill(.box(40, 56, 20, 13, round: 2), .plain(palette.accent))
    canvas.fill(.box(43, 60, 14, 1.8, round: 0.9), .plain(palette.paper))
    canvas.fill(.box(45, 63.6, 10, 1.6, round: 0.8), .plain(palette.paper))
  }

  static func umbrella(_ canvas: inout Canvas, _ palette: Palette) {
    let handle = points(50, 20, 50, 74) + Shape.arc(Point(56, 75), 6, 7, from: .pi, to: 0)
    canvas.fill(.line(handle, width: 2.6), .plain(palette.woodDark))
    canvas.fill(.line(points(50, 12, 50, 18), width: 1.8), .plain(palette.ink))
    let rim = (0..<4).flatMap { index in
      Shape.arc(Point(79.5 - Double(index) * 19.5 - 0.25, 52), 9.75, 5, from: 0, to: -.pi)
    }
    let dome = Shape.arc(Point(50, 52), 39, 36, from: .pi, to: 2 * .pi)
    canvas.fill(.polygon(dome + rim), .gradient(palette.light, palette.main))
    canvas.fill(
      .polygon(
        Shape.curve(points(50, 16, 36, 30, 30.5, 52)) + Shape.arc(Point(40, 52), 9.75, 5, from: .pi, to: 2 * .pi)
          + points(50, 52)), .plain(palette.accent))
    canvas.fill(
      .polygon(
        Shape.curve(points(50, 16, 64, 30, 69.5, 52)) + Shape.arc(Point(79.5, 52), 9.75, 5, from: .pi, to: 2 * .pi)
          + Shape.curve(points(89, 52, 78, 26, 50, 16))), .plain(palette.dark))
  }

  static func backpack(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.line(Shape.arc(Point(50, 22), 8, 9, from: .pi, to: 2 * .pi), width: 3), .plain(palette.ink))
    for x in [20.0, 70] { canvas.fill(.box(x, 50, 10, 30, round: 4), .plain(palette.dark)) }
    canvas.fill(
      .blob(points(50, 17, 68, 22, 74, 42, 75, 76, 66, 83, 50, 83.6, 34, 83, 25, 76, 26, 42, 32, 22)),
      .gradient(palette.light, palette.main))
    canvas.fill(.line(Shape.arc(Point(50, 44), 21, 17, from: .pi, to: 2 * .pi), width: 1.4), .plain(palette.dark))
    canvas.fill(.box(31, 53, 38, 26, round: 5), .gradient(palette.main, palette.dark))
    canvas.fill(.box(34, 59, 32, 1.4, round: 0.7), .plain(palette.ink))
    canvas.fill(.box(55, 58.4, 2.6, 7, round: 1.3), .plain(palette.accent))
    canvas.fill(.box(44, 36, 12, 9, round: 2), .plain(palette.accent))
  }
}
