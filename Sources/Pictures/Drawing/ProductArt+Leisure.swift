import Foundation

/// Things for a free day.
extension ProductArt {
  static func bicycle(_ canvas: inout Canvas, _ palette: Palette) {
    for x in [25.0, 75] {
      let hub = Point(x, 66)
      canvas.fill(.ring(hub, 16, width: 2.6), .plain(palette.ink))
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
    canvas.fill(.line(Shape.curve(points(58, 31, 64, 32, 70, 30, 72, 34)), width: 2.2), .plain(palette.ink))
    canvas.fill(.blob(points(29, 33, 36, 31.5, 44, 32, 41, 34.5, 33, 36)), .plain(palette.ink))
    canvas.fill(.ring(Point(47, 66), 4.4, width: 1.4), .plain(palette.metalDark))
    canvas.fill(.line(points(44, 60, 50, 72), width: 1.6), .plain(palette.ink))
    canvas.fill(.line(points(48, 72.6, 53, 72.6), width: 1.6), .plain(palette.ink))
    canvas.fill(.line(points(41, 59.6, 46, 59.6), width: 1.6), .plain(palette.ink))
  }

  static func guitar(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.box(46, 8, 8, 11, round: 2), .plain(palette.ink))
    for y in [10.5, 13.5, 16.5] {
      for x in [45.0, 55] { canvas.fill(.circle(Point(x, y), 1.2), .plain(palette.metalDark)) }
    }
    let body = points(50, 45, 62, 47, 64, 55, 61, 60, 68, 68, 67, 79, 50, 84, 33, 79, 32, 68, 39, 60, 36, 55, 38, 47)
    canvas.fill(.blob(body.map { Point($0.x + 1, $0.y + 1) }), .plain(palette.dark))
    canvas.fill(.blob(body), .gradient(palette.light, palette.main))
    canvas.fill(.circle(Point(50, 62), 7.4), .plain(palette.wood))
    canvas.fill(.circle(Point(50, 62), 6), .plain(palette.ink))
    canvas.fill(.box(47.4, 18, 5.2, 40), .plain(palette.woodDark))
    for fret in 0..<8 { canvas.fill(.box(47.4, 22 + Double(fret) * 4, 5.2, 0.6), .plain(palette.metal)) }
    canvas.fill(.box(42, 73, 16, 3, round: 1), .plain(palette.woodDark))
    for x in [48.4, 49.5, 50.5, 51.6] { canvas.fill(.box(x - 0.15, 12, 0.3, 62), .plain(palette.paper)) }
  }

  static func ball(_ canvas: inout Canvas, _ palette: Palette) {
    canvas.fill(.circle(Point(50, 53), 30), .gradient(palette.light, palette.dark))
    let seams = [
      points(20, 53, 80, 53), points(50, 23, 50, 83), Shape.curve(points(29, 32, 38, 43, 38, 63, 29, 74)),
      Shape.curve(points(71, 32, 62, 43, 62, 63, 71, 74)),
    ]
    for seam in seams { canvas.fill(.line(seam, width: 1.8), .plain(palette.ink)) }
    canvas.fill(.ring(Point(50, 53), 29.4, width: 1.4), .plain(palette.ink))
    canvas.fill(.ellipse(Point(40, 36), 7, 4.5), .plain(Pixel(255, 255, 255, 90)))
  }
}
