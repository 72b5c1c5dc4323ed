/// A bitmap as text: each character shows two pixels, one above the other.
struct HalfBlocks {
  let lines: [String]

  /// Creates the lines from a bitmap with one pixel per column and two per row.
  init(_ bitmap: Bitmap, isTrueColor: Bool) {
    let ground = bitmap.composited()
    lines = stride(from: 0, to: bitmap.height, by: 2).map { top in
      var line = ""
      var before = ""
      for column in 0..<bitmap.width {
        let upper = HalfBlocks.color(ground[column, top], isTrueColor)
        let lower = HalfBlocks.color(ground[column, min(top + 1, bitmap.height - 1)], isTrueColor)
        let paint = "\u{1B}[38;\(upper);48;\(lower)m"
        if paint != before { line += paint }
        before = paint
        line += "▀"
      }
      return line + "\u{1B}[0m"
    }
  }

  private static func color(_ pixel: Pixel, _ isTrueColor: Bool) -> String {
    if isTrueColor { return "2;\(pixel.red);\(pixel.green);\(pixel.blue)" }
    // The color cube of xterm's palette: 6 levels per channel, from number 16.
    let steps = [pixel.red, pixel.green, pixel.blue].map { (Int($0) * 5 + 127) / 255 }
    return "5;\(16 + steps[0] * 36 + steps[1] * 6 + steps[2])"
  }
}
