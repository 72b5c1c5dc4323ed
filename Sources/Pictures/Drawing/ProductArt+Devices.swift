/// Things with a plug.
extension ProductArt {
  static func laptop(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.box(22, 28, 56, 42, round: 3), .plain(palette.ink))
    canvas.fill(.box(25, 31, 50, 35, round: 1), .gradient(palette.light, palette.dark))
    canvas.fill(.polygon(points(25, 66, 25, 50, 38, 42, 52, 56, 63, 48, 75, 58, 75, 66)), .plain(palette.accent))
    canvas.fill(.circle(Point(64, 40), 4), .plain(palette.paper))
    canvas.fill(.polygon(points(18, 70, 82, 70, 90, 80, 10, 80)), .gradient(palette.metal, palette.metalDark))
    canvas.fill(.polygon(points(25, 71.5, 75, 71.5, 78, 75.5, 22, 75.5)), .plain(palette.inkLight))
    canvas.fill(.polygon(points(43, 76.5, 57, 76.5, 58, 79, 42, 79)), .plain(palette.metalDark))
    canvas.fill(.box(10, 80, 80, 2.6, round: 1.3), .plain(palette.inkLight))
  }

  static func phone(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.box(33, 14, 36, 70, round: 6), .plain(palette.metalDark))
    canvas.fill(.box(32, 14, 36, 70, round: 6), .plain(palette.ink))
    canvas.fill(.box(34, 16, 32, 66, round: 4.5), .gradient(palette.light, palette.dark))
    canvas.fill(.box(44, 18, 12, 2.6, round: 1.3), .plain(palette.ink))
    canvas.fill(.ellipse(Point(50, 40), 10, 10), .gradient(palette.accent, palette.accentDark))
    for row in 0..<2 {
      for column in 0..<3 {
        let (x, y) = (38.0 + Double(column) * 9, 58.0 + Double(row) * 9)
        canvas.fill(.box(x, y, 6.4, 6.4, round: 1.8), .plain(Pixel(255, 255, 255, row == 0 ? 210 : 140)))
      }
    }
    canvas.fill(.box(44, 79, 12, 1.2, round: 0.6), .plain(palette.paper))
  }

  static func headphones(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.line(Shape.arc(Point(50, 50), 27, 30, from: .pi, to: 2 * .pi), width: 6), .plain(palette.ink))
    canvas.fill(.line(Shape.arc(Point(50, 50), 27, 31, from: 3.9, to: 5.5), width: 3), .plain(palette.inkLight))
    for (outer, inner) in [(18.0, 27.0), (70.0, 65.0)] {
      canvas.fill(.box(inner, 48, 8, 28, round: 4), .plain(palette.ink))
      canvas.fill(.box(outer, 46, 12, 32, round: 6), .gradient(palette.light, palette.dark))
      canvas.fill(.box(outer + 3, 50, 2.4, 20, round: 1.2), .plain(Pixel(255, 255, 255, 110)))
    }
  }

  static func camera(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.polygon(points(38, 34, 42, 25, 58, 25, 62, 34)), .plain(palette.ink))
    canvas.fill(.box(22, 29, 9, 6, round: 2), .plain(palette.metalDark))
    canvas.fill(.box(16, 33, 68, 48, round: 5), .plain(palette.metal))
    canvas.fill(.box(16, 42, 68, 30), .gradient(palette.main, palette.dark))
    canvas.fill(.circle(Point(50, 57), 19), .plain(palette.metalDark))
    canvas.fill(.circle(Point(50, 57), 17), .plain(palette.ink))
    canvas.fill(.circle(Point(50, 57), 11.5), .gradient(palette.inkLight, palette.accentDark))
    canvas.fill(.circle(Point(50, 57), 5.5), .plain(palette.ink))
    canvas.fill(.circle(Point(45.5, 52), 2.4), .plain(Pixel(255, 255, 255, 200)))
    canvas.fill(.box(69, 36, 10, 4, round: 1.4), .plain(palette.accent))
  }

  static func watch(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.polygon(points(40, 34, 42, 12, 58, 12, 60, 34)), .gradient(palette.dark, palette.main))
    canvas.fill(.polygon(points(40, 64, 60, 64, 58, 86, 42, 86)), .gradient(palette.main, palette.dark))
    canvas.fill(.box(71, 46, 5, 6, round: 1.5), .plain(palette.metalDark))
    canvas.fill(.circle(Point(50, 49), 23), .gradient(palette.metal, palette.metalDark))
    canvas.fill(.circle(Point(50, 49), 19.5), .plain(palette.paper))
    for hour in 0..<12 {
      let dot = Shape.arc(Point(50, 49), 16, 16, from: Double(hour) * .pi / 6, to: 0)[0]
      canvas.fill(.circle(dot, hour % 3 == 0 ? 1.4 : 0.7), .plain(palette.inkLight))
    }
    canvas.fill(.line(points(50, 49, 43, 41), width: 2.2), .plain(palette.ink))
    canvas.fill(.line(points(50, 49, 61, 43), width: 1.6), .plain(palette.ink))
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
    canvas.fill(.box(30.2, 69, 40, 6.5, round: 1.6), .plain(palette.paper))
    canvas.fill(.box(71.5, 69.5, 14, 6, round: 1.6), .plain(palette.accent))
  }
}
