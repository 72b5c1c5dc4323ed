/// Home goods.
extension ProductArt {
  static func mug(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.line(Shape.arc(Point(67, 55), 12, 13, from: -1.5, to: 1.6), width: 5.5), .plain(palette.dark))
    let body = Shape.curve(points(68, 38, 67, 70, 64, 80, 58, 83)) + points(36, 83)
    canvas.fill(
      .polygon(body + Shape.curve(points(36, 83, 30, 80, 27, 70, 26, 38))), .gradient(palette.light, palette.dark))
    canvas.fill(.ellipse(Point(47, 38), 21, 5), .plain(palette.dark))
    canvas.fill(.ellipse(Point(47, 38.8), 18.5, 3.6), .plain(Pixel(92, 58, 40)))
    canvas.fill(
      .blob(points(47, 72, 37, 62, 38, 54, 44, 54, 47, 58, 50, 54, 56, 54, 57, 62)), .plain(palette.highlight))
    for x in [40.0, 48, 56] {
      let steam = Shape.curve(points(x, 31, x + 2.5, 26, x - 2, 21, x + 1, 15))
      canvas.fill(.line(steam, width: 1.6), .plain(Pixel(255, 255, 255, 200)))
    }
  }

  static func chair(_ canvas: inout Canvas, _ palette: Palette) {
    for (top, bottom) in [(38.0, 34.0), (63.0, 67.0)] {
      canvas.fill(.line(points(top, 60, bottom, 80), width: 3), .plain(palette.woodDark))
    }
    for (top, bottom) in [(32.0, 26.0), (69.0, 75.0)] {
      canvas.fill(.line(points(top, 62, bottom, 84), width: 3.6), .plain(palette.wood))
    }
    canvas.fill(
      .blob(points(33, 16, 50, 13, 67, 16, 71, 30, 69, 54, 50, 57, 31, 54, 29, 30)),
      .gradient(palette.light, palette.main))
    canvas.fill(.blob(points(26, 57, 50, 53, 74, 57, 75, 63, 50, 67, 25, 63)), .gradient(palette.main, palette.dark))
    for x in [42.0, 50, 58] {
      canvas.fill(.line(points(x, 24, x, 46), width: 1.2), .plain(Pixel(255, 255, 255, 70)))
    }
  }

  static func lamp(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(
      .polygon(points(32, 48, 68, 48, 86, 83, 14, 83)), .gradient(Pixel(255, 236, 170, 150), Pixel(255, 236, 170, 0)))
    canvas.fill(.box(48.4, 46, 3.2, 35), .plain(palette.metalDark))
    canvas.fill(.ellipse(Point(50, 82), 17, 3.6), .plain(palette.inkLight))
    canvas.fill(.ellipse(Point(50, 80.8), 17, 3.6), .plain(palette.metal))
    canvas.fill(.ellipse(Point(50, 48), 24, 4), .plain(Pixel(255, 240, 190)))
    canvas.fill(
      .polygon(points(38, 18, 62, 18) + Shape.arc(Point(50, 48), 24, 4, from: 0, to: .pi)),
      .gradient(palette.dark, palette.light))
    canvas.fill(.polygon(points(41, 19, 45, 19, 37, 48, 31, 47)), .plain(Pixel(255, 255, 255, 60)))
    canvas.fill(.line(points(60, 51, 60, 60), width: 0.8), .plain(palette.outline))
    canvas.fill(.circle(Point(60, 61), 1.5), .plain(palette.accentDark))
  }

  static func plant(_ canvas: inout Canvas, _ palette: Palette) {
    let tips: [(Double, Double)] = [(22, 38), (78, 36), (33, 20), (68, 18), (50, 12), (26, 54), (75, 53)]
    for (index, tip) in tips.enumerated() {
      let (dx, dy) = (tip.0 - 50, tip.1 - 62)
      let middle = Point(50 + dx * 0.55, 62 + dy * 0.55)
      let (wide, high) = (dy * -0.17, dx * 0.17)
      let outline = [
        Point(50, 62), Point(middle.x - wide, middle.y - high), Point(tip.0, tip.1),
        Point(middle.x + wide, middle.y + high),
      ]
      canvas.fill(.blob(outline), .plain(index.isMultiple(of: 2) ? palette.leaf : palette.leafDark))
      canvas.fill(.line(points(50, 62, 50 + dx * 0.85, 62 + dy * 0.85), width: 0.9), .plain(Pixel(255, 255, 255, 70)))
    }
    canvas.fill(.polygon(points(35, 64, 65, 64, 61, 83, 39, 83)), .gradient(palette.main, palette.dark))
    canvas.fill(.box(32, 59, 36, 7, round: 2), .plain(palette.light))
  }

  static func book(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.box(27, 17, 50, 66, round: 3), .plain(palette.dark))
    canvas.fill(.box(30, 75, 46, 6, round: 2), .plain(palette.highlight))
    for y in [76.5, 78, 79.5] { canvas.fill(.box(31, y, 45, 0.4), .plain(palette.metal)) }
    canvas.fill(.box(25, 15, 50, 62, round: 3), .gradient(palette.light, palette.main))
    canvas.fill(.box(25, 15, 7, 66, round: 3), .plain(palette.dark))
    canvas.fill(.box(39, 25, 29, 14, round: 1.5), .plain(palette.highlight))
    canvas.fill(.box(43, 29, 21, 2, round: 1), .plain(palette.inkLight))
    canvas.fill(.box(47, 33.4, 13, 1.6, round: 0.8), .plain(palette.metalDark))
    canvas.fill(.circle(Point(53.5, 57), 9), .plain(palette.accent))
    canvas.fill(.polygon(points(44.5, 57, 62.5, 57, 53.5, 70)), .plain(palette.accentDark))
    canvas.fill(.polygon(points(64, 74, 69, 74, 69, 88, 66.5, 85, 64, 88)), .plain(palette.accent))
  }

  static func kettle(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(
      .line(Shape.arc(Point(52, 38), 21, 22, from: .pi * 1.05, to: .pi * 1.95), width: 4.5), .plain(palette.outline))
    canvas.fill(.blob(points(34, 66, 20, 54, 13, 42, 19, 40, 30, 48, 40, 54)), .plain(palette.dark))
    canvas.fill(
      .blob(points(52, 35, 70, 40, 79, 60, 77, 80, 52, 83, 27, 80, 25, 60, 34, 40)),
      .gradient(palette.light, palette.dark))
    canvas.fill(.blob(points(37, 46, 41, 45, 36, 62, 35, 72, 31, 68, 32, 56)), .plain(Pixel(255, 255, 255, 100)))
    canvas.fill(.ellipse(Point(52, 38), 15, 4), .plain(palette.dark))
    canvas.fill(.ellipse(Point(52, 36.6), 14, 3.6), .plain(palette.main))
    canvas.fill(.circle(Point(52, 32), 3), .plain(palette.outline))
    canvas.fill(.box(30, 79.5, 44, 4, round: 2), .plain(palette.metalDark))
  }
}

/// Electronic devices.
extension ProductArt {
  static func laptop(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.box(22, 28, 56, 42, round: 3), .plain(palette.outline))
    canvas.fill(.box(25, 31, 50, 35, round: 1), .gradient(palette.light, palette.dark))
    canvas.fill(.polygon(points(25, 66, 25, 50, 38, 42, 52, 56, 63, 48, 75, 58, 75, 66)), .plain(palette.accent))
    canvas.fill(.circle(Point(64, 40), 4), .plain(palette.highlight))
    canvas.fill(.polygon(points(18, 70, 82, 70, 90, 80, 10, 80)), .gradient(palette.metal, palette.metalDark))
    canvas.fill(.polygon(points(25, 71.5, 75, 71.5, 78, 75.5, 22, 75.5)), .plain(palette.inkLight))
    canvas.fill(.polygon(points(43, 76.5, 57, 76.5, 58, 79, 42, 79)), .plain(palette.metalDark))
    canvas.fill(.box(10, 80, 80, 2.6, round: 1.3), .plain(palette.inkLight))
  }

  static func phone(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.box(33, 14, 36, 70, round: 6), .plain(palette.metalDark))
    canvas.fill(.box(32, 14, 36, 70, round: 6), .plain(palette.outline))
    canvas.fill(.box(34, 16, 32, 66, round: 4.5), .gradient(palette.light, palette.dark))
    canvas.fill(.box(44, 18, 12, 2.6, round: 1.3), .plain(palette.outline))
    canvas.fill(.ellipse(Point(50, 40), 10, 10), .gradient(palette.accent, palette.accentDark))
    for row in 0..<2 {
      for column in 0..<3 {
        let (x, y) = (38.0 + Double(column) * 9, 58.0 + Double(row) * 9)
        canvas.fill(.box(x, y, 6.4, 6.4, round: 1.8), .plain(Pixel(255, 255, 255, row == 0 ? 210 : 140)))
      }
    }
    canvas.fill(.box(44, 79, 12, 1.2, round: 0.6), .plain(palette.highlight))
  }

  static func headphones(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.line(Shape.arc(Point(50, 50), 27, 30, from: .pi, to: 2 * .pi), width: 6), .plain(palette.outline))
    canvas.fill(.line(Shape.arc(Point(50, 50), 27, 31, from: 3.9, to: 5.5), width: 3), .plain(palette.inkLight))
    for (outer, inner) in [(18.0, 27.0), (70.0, 65.0)] {
      canvas.fill(.box(inner, 48, 8, 28, round: 4), .plain(palette.outline))
      canvas.fill(.box(outer, 46, 12, 32, round: 6), .gradient(palette.light, palette.dark))
      canvas.fill(.box(outer + 3, 50, 2.4, 20, round: 1.2), .plain(Pixel(255, 255, 255, 110)))
    }
  }

  static func camera(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.polygon(points(38, 34, 42, 25, 58, 25, 62, 34)), .plain(palette.outline))
    canvas.fill(.box(22, 29, 9, 6, round: 2), .plain(palette.metalDark))
    canvas.fill(.box(16, 33, 68, 48, round: 5), .plain(palette.metal))
    canvas.fill(.box(16, 42, 68, 30), .gradient(palette.main, palette.dark))
    canvas.fill(.circle(Point(50, 57), 19), .plain(palette.metalDark))
    canvas.fill(.circle(Point(50, 57), 17), .plain(palette.outline))
    canvas.fill(.circle(Point(50, 57), 11.5), .gradient(palette.inkLight, palette.accentDark))
    canvas.fill(.circle(Point(50, 57), 5.5), .plain(palette.outline))
    canvas.fill(.circle(Point(45.5, 52), 2.4), .plain(Pixel(255, 255, 255, 200)))
    canvas.fill(.box(69, 36, 10, 4, round: 1.4), .plain(palette.accent))
  }

  static func watch(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.polygon(points(40, 34, 42, 12, 58, 12, 60, 34)), .gradient(palette.dark, palette.main))
    canvas.fill(.polygon(points(40, 64, 60, 64, 58, 86, 42, 86)), .gradient(palette.main, palette.dark))
    canvas.fill(.box(71, 46, 5, 6, round: 1.5), .plain(palette.metalDark))
    canvas.fill(.circle(Point(50, 49), 23), .gradient(palette.metal, palette.metalDark))
    canvas.fill(.circle(Point(50, 49), 19.5), .plain(palette.highlight))
    for hour in 0..<12 {
      let dot = Shape.arc(Point(50, 49), 16, 16, from: Double(hour) * .pi / 6, to: 0)[0]
      canvas.fill(.circle(dot, hour % 3 == 0 ? 1.4 : 0.7), .plain(palette.inkLight))
    }
    canvas.fill(.line(points(50, 49, 43, 41), width: 2.2), .plain(palette.outline))
    canvas.fill(.line(points(50, 49, 61, 43), width: 1.6), .plain(palette.outline))
    canvas.fill(.line(points(48, 52, 53, 37), width: 0.8), .plain(palette.accentDark))
    canvas.fill(.circle(Point(50, 49), 1.8), .plain(palette.accentDark))
  }

  static func keyboard(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.box(10, 42, 80, 40, round: 5), .plain(palette.metalDark))
    canvas.fill(.box(10, 40, 80, 39, round: 5), .gradient(palette.metal, Pixel(188, 194, 204)))
    for row in 0..<3 {
      for column in 0..<9 {
        let (x, y) = (14.0 + Double(column) * 8.1, 44.0 + Double(row) * 8.3)
        let isSpecial = (row + column * 2) % 11 == 0
        canvas.fill(.box(x, y + 0.8, 6.8, 6.8, round: 1.6), .plain(isSpecial ? palette.accentDark : palette.dark))
        canvas.fill(.box(x, y, 6.8, 6.4, round: 1.6), .plain(isSpecial ? palette.accent : palette.light))
      }
    }
    canvas.fill(.box(14, 69.5, 14.9, 6, round: 1.6), .plain(palette.light))
    canvas.fill(.box(30.2, 69, 40, 6.5, round: 1.6), .plain(palette.highlight))
    canvas.fill(.box(71.5, 69.5, 14, 6, round: 1.6), .plain(palette.accent))
  }
}
