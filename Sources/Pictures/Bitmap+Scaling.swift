extension Bitmap {
  /// The picture made small enough that neither side is longer than `maxSide`; never made larger.
  package func scaled(toFit maxSide: Int) -> Bitmap {
    let longer = max(width, height)
    guard longer > maxSide, maxSide > 0 else { return self }
    return scaled(
      width: max(1, (width * maxSide + longer / 2) / longer), height: max(1, (height * maxSide + longer / 2) / longer))
  }

  /// The picture in exactly that size. Every new pixel is the mean of the area it covers, weighed by alpha and
  /// computed in whole numbers, so the same picture gives the same bytes everywhere.
  package func scaled(width newWidth: Int, height newHeight: Int) -> Bitmap {
    precondition(newWidth > 0 && newHeight > 0, "A bitmap has at least one pixel")
    guard (newWidth, newHeight) != (width, height) else { return self }
    var sums = [Int](repeating: 0, count: newWidth * 4)
    var line = [Int](repeating: 0, count: newWidth * 4)
    var lineOf = -1
    let result = [UInt8](unsafeUninitializedCapacity: newWidth * newHeight * 4) { buffer, count in
      count = newWidth * newHeight * 4
      for row in 0..<newHeight {
        for index in sums.indices { sums[index] = 0 }
        // Measured in 1/newHeight of an old row, new rows are `height` tall and old rows `newHeight`.
        let (top, bottom) = (row * height, (row + 1) * height)
        var old = top / newHeight
        while old * newHeight < bottom {
          if old != lineOf { squeeze(old, into: &line) }
          lineOf = old
          let weight = min(bottom, (old + 1) * newHeight) - max(top, old * newHeight)
          Self.add(line, times: weight, to: &sums)
          old += 1
        }
        settle(sums, area: width * height, into: UnsafeMutableBufferPointer(rebasing: buffer[(row * newWidth * 4)...]))
      }
    }
    return Bitmap(width: newWidth, height: newHeight, pixels: result)
  }

  /// One old row, narrowed: for each new pixel the weighted sums of colour times alpha, and of alpha.
  private func squeeze(_ row: Int, into line: inout [Int]) {
    let newWidth = line.count / 4
    pixels.withUnsafeBufferPointer { source in
      line.withUnsafeMutableBufferPointer { line in
        let start = row * width * 4
        for column in 0..<newWidth {
          let (left, right) = (column * width, (column + 1) * width)
          var (red, green, blue, alpha) = (0, 0, 0, 0)
          var old = left / newWidth
          while old * newWidth < right {
            let at = start + old * 4
            let weight = (min(right, (old + 1) * newWidth) - max(left, old * newWidth)) * Int(source[at + 3])
            red += Int(source[at]) * weight
            green += Int(source[at + 1]) * weight
            blue += Int(source[at + 2]) * weight
            alpha += weight
            old += 1
          }
          line[column * 4] = red
          line[column * 4 + 1] = green
          line[column * 4 + 2] = blue
          line[column * 4 + 3] = alpha
        }
      }
    }
  }

  private static func add(_ line: [Int], times weight: Int, to sums: inout [Int]) {
    line.withUnsafeBufferPointer { line in
      sums.withUnsafeMutableBufferPointer { sums in
        for index in 0..<sums.count { sums[index] += line[index] * weight }
      }
    }
  }

  /// Turns sums into rounded bytes; at 100 megapixels a sum stays below 2^43.
  private func settle(_ sums: [Int], area: Int, into row: UnsafeMutableBufferPointer<UInt8>) {
    sums.withUnsafeBufferPointer { sums in
      for at in stride(from: 0, to: sums.count, by: 4) {
        let alpha = sums[at + 3]
        for channel in 0..<3 {
          row[at + channel] = alpha == 0 ? 0 : UInt8((sums[at + channel] + alpha / 2) / alpha)
        }
        row[at + 3] = UInt8((alpha + area / 2) / area)
      }
    }
  }
}
