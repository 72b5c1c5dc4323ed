extension Bitmap {
  /// The picture as its orientation wants it shown.
  package func turned(_ orientation: Orientation) -> Bitmap {
    guard orientation != .upright else { return self }
    let (columns, rows) = orientation.swapsSides ? (height, width) : (width, height)
    let (start, right, down) = walk(orientation)
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

  /// Where the shown picture's first pixel is stored, and the steps to its right and lower neighbours.
  private func walk(_ orientation: Orientation) -> (start: Int, right: Int, down: Int) {
    let (lastColumn, lastRow) = (width - 1, (height - 1) * width)
    return switch orientation {
    case .upright: (0, 1, width)
    case .mirrored: (lastColumn, -1, width)
    case .upsideDown: (lastRow + lastColumn, -1, -width)
    case .flipped: (lastRow, 1, -width)
    case .transposed: (0, width, 1)
    case .turnRight: (lastRow, -width, 1)
    case .transversed: (lastRow + lastColumn, -width, -1)
    case .turnLeft: (lastColumn, width, -1)
    }
  }
}
