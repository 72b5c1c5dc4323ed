/// A decoded picture: sRGB, red green blue alpha in that order, rows from the top, alpha not multiplied in.
package struct Bitmap: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// Four bytes a pixel, `width * 4` bytes a row, no padding.
  package var pixels: [UInt8]

  package init(width: Int, height: Int, fill: Pixel = .clear) {
    precondition(width > 0 && height > 0, "A bitmap has at least one pixel")
    let bytes = [fill.red, fill.green, fill.blue, fill.alpha]
    self.width = width
    self.height = height
    pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
      count = width * height * 4
      bytes.withUnsafeBytes { one in
        let colour = one.loadUnaligned(as: UInt32.self)
        UnsafeMutableRawBufferPointer(buffer).initializeMemory(as: UInt32.self, repeating: colour)
      }
    }
  }

  /// Takes pixels as they are; there must be `width * height * 4` of them.
  package init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(width > 0 && height > 0 && pixels.count == width * height * 4, "Four bytes a pixel")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  package subscript(x: Int, y: Int) -> Pixel {
    get {
      let at = (y * width + x) * 4
      return Pixel(pixels[at], pixels[at + 1], pixels[at + 2], pixels[at + 3])
    }
    set {
      let at = (y * width + x) * 4
      pixels[at] = newValue.red
      pixels[at + 1] = newValue.green
      pixels[at + 2] = newValue.blue
      pixels[at + 3] = newValue.alpha
    }
  }

  /// True when some pixel lets what is behind it shine through.
  package var hasTransparency: Bool {
    pixels.withUnsafeBufferPointer { bytes in
      var at = 3
      while at < bytes.count {
        if bytes[at] != 255 { return true }
        at += 4
      }
      return false
    }
  }

  /// The picture laid on white, as JPEG has no transparency.
  package func flattened(on ground: Pixel = .white) -> Bitmap {
    guard hasTransparency else { return self }
    var copy = self
    let under = [Int(ground.red), Int(ground.green), Int(ground.blue)]
    copy.pixels.withUnsafeMutableBufferPointer { bytes in
      var at = 0
      while at < bytes.count {
        let alpha = Int(bytes[at + 3])
        if alpha < 255 {
          for channel in 0..<3 {
            let mixed = Int(bytes[at + channel]) * alpha + under[channel] * (255 - alpha)
            bytes[at + channel] = UInt8((mixed + 127) / 255)
          }
          bytes[at + 3] = 255
        }
        at += 4
      }
    }
    return copy
  }
}
