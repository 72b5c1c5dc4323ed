/// Home goods.
extension ProductArt {
  static func mug(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(
      .line(Shape.arc(Point(67, 55), across: 12, down: 13, from: -1.5, to: 1.6), width: 5.5), .plain(palette.dark))
    let body = Shape.curve(points(68, 38, 67, 70, 64, 80, 58, 83)) + points(36, 83)
    canvas.fill(
      .polygon(body + Shape.curve(points(36, 83, 30, 80, 27, 70, 26, 38))), .gradient(palette.light, palette.dark))
    canvas.fill(.ellipse(Point(47, 38), across: 21, down: 5), .plain(palette.dark))
    canvas.fill(.ellipse(Point(47, 38.8), across: 18.5, down: 3.6), .plain(Pixel(red: 92, green: 58, blue: 40)))
    canvas.fill(
      .blob(points(47, 72, 37, 62, 38, 54, 44, 54, 47, 58, 50, 54, 56, 54, 57, 62)), .plain(palette.highlight))
    for x in [40.0, 48, 56] {
      let steam = Shape.curve(points(x, 31, x + 2.5, 26, x - 2, 21, x + 1, 15))
      canvas.fill(.line(steam, width: 1.6), .plain(Pixel(red: 255, green: 255, blue: 255, alpha: 200)))
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
      canvas.fill(.line(points(x, 24, x, 46), width: 1.2), .plain(Pixel(red: 255, green: 255, blue: 255, alpha: 70)))
    }
  }

  static func lamp(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(
      .polygon(points(32, 48, 68, 48, 86, 83, 14, 83)),
      .gradient(Pixel(red: 255, green: 236, blue: 170, alpha: 150), Pixel(red: 255, green: 236, blue: 170, alpha: 0)))
    canvas.fill(.box(x: 48.4, y: 46, width: 3.2, height: 35), .plain(palette.metalDark))
    canvas.fill(.ellipse(Point(50, 82), across: 17, down: 3.6), .plain(palette.inkLight))
    canvas.fill(.ellipse(Point(50, 80.8), across: 17, down: 3.6), .plain(palette.metal))
    canvas.fill(.ellipse(Point(50, 48), across: 24, down: 4), .plain(Pixel(red: 255, green: 240, blue: 190)))
    canvas.fill(
      .polygon(points(38, 18, 62, 18) + Shape.arc(Point(50, 48), across: 24, down: 4, from: 0, to: .pi)),
      .gradient(palette.dark, palette.light))
    canvas.fill(
      .polygon(points(41, 19, 45, 19, 37, 48, 31, 47)), .plain(Pixel(red: 255, green: 255, blue: 255, alpha: 60)))
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
      canvas.fill(
        .line(points(50, 62, 50 + dx * 0.85, 62 + dy * 0.85), width: 0.9),
        .plain(Pixel(red: 255, green: 255, blue: 255, alpha: 70)))
    }
    canvas.fill(.polygon(points(35, 64, 65, 64, 61, 83, 39, 83)), .gradient(palette.main, palette.dark))
    canvas.fill(.box(x: 32, y: 59, width: 36, height: 7, round: 2), .plain(palette.light))
  }

  static func book(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.box(x: 27, y: 17, width: 50, height: 66, round: 3), .plain(palette.dark))
    canvas.fill(.box(x: 30, y: 75, width: 46, height: 6, round: 2), .plain(palette.highlight))
    for y in [76.5, 78, 79.5] { canvas.fill(.box(x: 31, y: y, width: 45, height: 0.4), .plain(palette.metal)) }
    canvas.fill(.box(x: 25, y: 15, width: 50, height: 62, round: 3), .gradient(palette.light, palette.main))
    canvas.fill(.box(x: 25, y: 15, width: 7, height: 66, round: 3), .plain(palette.dark))
    canvas.fill(.box(x: 39, y: 25, width: 29, height: 14, round: 1.5), .plain(palette.highlight))
    canvas.fill(.box(x: 43, y: 29, width: 21, height: 2, round: 1), .plain(palette.inkLight))
    canvas.fill(.box(x: 47, y: 33.4, width: 13, height: 1.6, round: 0.8), .plain(palette.metalDark))
    canvas.fill(.circle(Point(53.5, 57), 9), .plain(palette.accent))
    canvas.fill(.polygon(points(44.5, 57, 62.5, 57, 53.5, 70)), .plain(palette.accentDark))
    canvas.fill(.polygon(points(64, 74, 69, 74, 69, 88, 66.5, 85, 64, 88)), .plain(palette.accent))
  }

  static func kettle(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(
      .line(Shape.arc(Point(52, 38), across: 21, down: 22, from: .pi * 1.05, to: .pi * 1.95), width: 4.5),
      .plain(palette.outline))
    canvas.fill(.blob(points(34, 66, 20, 54, 13, 42, 19, 40, 30, 48, 40, 54)), .plain(palette.dark))
    canvas.fill(
      .blob(points(52, 35, 70, 40, 79, 60, 77, 80, 52, 83, 27, 80, 25, 60, 34, 40)),
      .gradient(palette.light, palette.dark))
    canvas.fill(
      .blob(points(37, 46, 41, 45, 36, 62, 35, 72, 31, 68, 32, 56)),
      .plain(Pixel(red: 255, green: 255, blue: 255, alpha: 100)))
    canvas.fill(.ellipse(Point(52, 38), across: 15, down: 4), .plain(palette.dark))
    canvas.fill(.ellipse(Point(52, 36.6), across: 14, down: 3.6), .plain(palette.main))
    canvas.fill(.circle(Point(52, 32), 3), .plain(palette.outline))
    canvas.fill(.box(x: 30, y: 79.5, width: 44, height: 4, round: 2), .plain(palette.metalDark))
  }
}

/// Electronic devices.
extension ProductArt {
  static func laptop(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.box(x: 22, y: 28, width: 56, height: 42, round: 3), .plain(palette.outline))
    canvas.fill(.box(x: 25, y: 31, width: 50, height: 35, round: 1), .gradient(palette.light, palette.dark))
    canvas.fill(.polygon(points(25, 66, 25, 50, 38, 42, 52, 56, 63, 48, 75, 58, 75, 66)), .plain(palette.accent))
    canvas.fill(.circle(Point(64, 40), 4), .plain(palette.highlight))
    canvas.fill(.polygon(points(18, 70, 82, 70, 90, 80, 10, 80)), .gradient(palette.metal, palette.metalDark))
    canvas.fill(.polygon(points(25, 71.5, 75, 71.5, 78, 75.5, 22, 75.5)), .plain(palette.inkLight))
    canvas.fill(.polygon(points(43, 76.5, 57, 76.5, 58, 79, 42, 79)), .plain(palette.metalDark))
    canvas.fill(.box(x: 10, y: 80, width: 80, height: 2.6, round: 1.3), .plain(palette.inkLight))
  }

  static func phone(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.box(x: 33, y: 14, width: 36, height: 70, round: 6), .plain(palette.metalDark))
    canvas.fill(.box(x: 32, y: 14, width: 36, height: 70, round: 6), .plain(palette.outline))
    canvas.fill(.box(x: 34, y: 16, width: 32, height: 66, round: 4.5), .gradient(palette.light, palette.dark))
    canvas.fill(.box(x: 44, y: 18, width: 12, height: 2.6, round: 1.3), .plain(palette.outline))
    canvas.fill(.ellipse(Point(50, 40), across: 10, down: 10), .gradient(palette.accent, palette.accentDark))
    for row in 0..<2 {
      for column in 0..<3 {
        let (x, y) = (38.0 + Double(column) * 9, 58.0 + Double(row) * 9)
        canvas.fill(
          .box(x: x, y: y, width: 6.4, height: 6.4, round: 1.8),
          .plain(Pixel(red: 255, green: 255, blue: 255, alpha: row == 0 ? 210 : 140)))
      }
    }
    canvas.fill(.box(x: 44, y: 79, width: 12, height: 1.2, round: 0.6), .plain(palette.highlight))
  }

  static func headphones(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(
      .line(Shape.arc(Point(50, 50), across: 27, down: 30, from: .pi, to: 2 * .pi), width: 6), .plain(palette.outline))
    canvas.fill(
      .line(Shape.arc(Point(50, 50), across: 27, down: 31, from: 3.9, to: 5.5), width: 3), .plain(palette.inkLight))
    for (outer, inner) in [(18.0, 27.0), (70.0, 65.0)] {
      canvas.fill(.box(x: inner, y: 48, width: 8, height: 28, round: 4), .plain(palette.outline))
      canvas.fill(.box(x: outer, y: 46, width: 12, height: 32, round: 6), .gradient(palette.light, palette.dark))
      canvas.fill(
        .box(x: outer + 3, y: 50, width: 2.4, height: 20, round: 1.2),
        .plain(Pixel(red: 255, green: 255, blue: 255, alpha: 110)))
    }
  }

  static func camera(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.polygon(points(38, 34, 42, 25, 58, 25, 62, 34)), .plain(palette.outline))
    canvas.fill(.box(x: 22, y: 29, width: 9, height: 6, round: 2), .plain(palette.metalDark))
    canvas.fill(.box(x: 16, y: 33, width: 68, height: 48, round: 5), .plain(palette.metal))
    canvas.fill(.box(x: 16, y: 42, width: 68, height: 30), .gradient(palette.main, palette.dark))
    canvas.fill(.circle(Point(50, 57), 19), .plain(palette.metalDark))
    canvas.fill(.circle(Point(50, 57), 17), .plain(palette.outline))
    canvas.fill(.circle(Point(50, 57), 11.5), .gradient(palette.inkLight, palette.accentDark))
    canvas.fill(.circle(Point(50, 57), 5.5), .plain(palette.outline))
    canvas.fill(.circle(Point(45.5, 52), 2.4), .plain(Pixel(red: 255, green: 255, blue: 255, alpha: 200)))
    canvas.fill(.box(x: 69, y: 36, width: 10, height: 4, round: 1.4), .plain(palette.accent))
  }

  static func watch(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.polygon(points(40, 34, 42, 12, 58, 12, 60, 34)), .gradient(palette.dark, palette.main))
    canvas.fill(.polygon(points(40, 64, 60, 64, 58, 86, 42, 86)), .gradient(palette.main, palette.dark))
    canvas.fill(.box(x: 71, y: 46, width: 5, height: 6, round: 1.5), .plain(palette.metalDark))
    canvas.fill(.circle(Point(50, 49), 23), .gradient(palette.metal, palette.metalDark))
    canvas.fill(.circle(Point(50, 49), 19.5), .plain(palette.highlight))
    for hour in 0..<12 {
      let dot = Shape.arc(Point(50, 49), across: 16, down: 16, from: Double(hour) * .pi / 6, to: 0)[0]
      canvas.fill(.circle(dot, hour % 3 == 0 ? 1.4 : 0.7), .plain(palette.inkLight))
    }
    canvas.fill(.line(points(50, 49, 43, 41), width: 2.2), .plain(palette.outline))
    canvas.fill(.line(points(50, 49, 61, 43), width: 1.6), .plain(palette.outline))
    canvas.fill(.line(points(48, 52, 53, 37), width: 0.8), .plain(palette.accentDark))
    canvas.fill(.circle(Point(50, 49), 1.8), .plain(palette.accentDark))
  }

  static func keyboard(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.box(x: 10, y: 42, width: 80, height: 40, round: 5), .plain(palette.metalDark))
    canvas.fill(
      .box(x: 10, y: 40, width: 80, height: 39, round: 5),
      .gradient(palette.metal, Pixel(red: 188, green: 194, blue: 204)))
    for row in 0..<3 {
      for column in 0..<9 {
        let (x, y) = (14.0 + Double(column) * 8.1, 44.0 + Double(row) * 8.3)
        let isSpecial = (row + column * 2) % 11 == 0
        canvas.fill(
          .box(x: x, y: y + 0.8, width: 6.8, height: 6.8, round: 1.6),
          .plain(isSpecial ? palette.accentDark : palette.dark))
        canvas.fill(
          .box(x: x, y: y, width: 6.8, height: 6.4, round: 1.6), .plain(isSpecial ? palette.accent : palette.light))
      }
    }
    canvas.fill(.box(x: 14, y: 69.5, width: 14.9, height: 6, round: 1.6), .plain(palette.light))
    canvas.fill(.box(x: 30.2, y: 69, width: 40, height: 6.5, round: 1.6), .plain(palette.highlight))
    canvas.fill(.box(x: 71.5, y: 69.5, width: 14, height: 6, round: 1.6), .plain(palette.accent))
  }
}
