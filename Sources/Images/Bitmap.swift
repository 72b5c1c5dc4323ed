/// A decoded picture: sRGB, in the order red, green, blue, alpha, rows from the top, alpha not premultiplied.
package struct Bitmap: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// The pixels: four bytes each, `width * 4` bytes per row, no padding.
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

  /// Creates a bitmap from pixels, which must be `width * height * 4` bytes.
  package init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(width > 0 && height > 0 && pixels.count == width * height * 4, "Four bytes a pixel")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  package subscript(x: Int, y: Int) -> Pixel {
    get {
      let at = (y * width + x) * 4
      return Pixel(red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2], alpha: pixels[at + 3])
    }
    set {
      let at = (y * width + x) * 4
      pixels[at] = newValue.red
      pixels[at + 1] = newValue.green
      pixels[at + 2] = newValue.blue
      pixels[at + 3] = newValue.alpha
    }
  }

  /// Indicates whether any pixel is not opaque.
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

  /// Returns the picture composited over a background, white by default, because JPEG has no transparency.
  package func composited(on ground: Pixel = .white) -> Bitmap {
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

extension Bitmap {
  /// Returns the picture with the orientation applied.
  package func applying(_ orientation: Orientation) -> Bitmap {
    guard orientation != .upright else { return self }
    let (columns, rows) = orientation.swapsSides ? (height, width) : (width, height)
    let (start, right, down) = sourceStrides(orientation)
    let turned = [UInt8](unsafeUninitializedCapacity: pixels.count) { buffer, count in
      count = pixels.count
      pixels.withUnsafeBytes { source in
        let target = UnsafeMutableRawBufferPointer(buffer)
        var at = 0
        for row in 0..<rows {
          var from = start + row * down
          for _ in 0..<columns {
            target.storeBytes(
              of: source.loadUnaligned(fromByteOffset: from * 4, as: UInt32.self), toByteOffset: at, as: UInt32.self)
            from += right
            at += 4
          }
        }
      }
    }
    return Bitmap(width: columns, height: rows, pixels: turned)
  }

  /// Returns the index of the first source pixel, and the steps to its right and lower neighbours in the result.
  private func sourceStrides(_ orientation: Orientation) -> (start: Int, right: Int, down: Int) {
    let (lastColumn, lastRow) = (width - 1, (height - 1) * width)
    return switch orientation {
    case .upright: (0, 1, width)
    case .mirrored: (lastColumn, -1, width)
    case .upsideDown: (lastRow + lastColumn, -1, -width)
    case .flipped: (lastRow, 1, -width)
    case .transposed: (0, width, 1)
    case .rotatedRight: (lastRow, -width, 1)
    case .transversed: (lastRow + lastColumn, -width, -1)
    case .rotatedLeft: (lastColumn, width, -1)
    }
  }
}

/// A color: sRGB, eight bits per channel, alpha not premultiplied.
package struct Pixel: Hashable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8
  package var alpha: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  package static let white = Pixel(red: 255, green: 255, blue: 255)
  package static let black = Pixel(red: 0, green: 0, blue: 0)
  package static let clear = Pixel(red: 0, green: 0, blue: 0, alpha: 0)
}
