import Foundation

extension Bitmap {
  /// Returns the picture reduced so that neither side exceeds `maxSide`.
  ///
  /// It is never enlarged.
  package func scaled(toFit maxSide: Int) -> Bitmap {
    let longer = max(width, height)
    guard longer > maxSide, maxSide > 0 else { return self }
    return scaled(
      width: max(1, (width * maxSide + longer / 2) / longer), height: max(1, (height * maxSide + longer / 2) / longer))
  }

  /// Returns the picture in exactly the given size.
  ///
  /// Every new pixel is the mean of the area it covers, weighted by alpha and computed in integers, so that the same
  /// picture gives the same bytes everywhere.
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
        // In units of 1/newHeight of an old row, new rows are `height` tall and old rows `newHeight`.
        let (top, bottom) = (row * height, (row + 1) * height)
        var old = top / newHeight
        while old * newHeight < bottom {
          if old != lineOf { resampleRow(old, into: &line) }
          lineOf = old
          let weight = min(bottom, (old + 1) * newHeight) - max(top, old * newHeight)
          Self.add(line, times: weight, to: &sums)
          old += 1
        }
        normalize(
          sums, area: width * height, into: UnsafeMutableBufferPointer(rebasing: buffer[(row * newWidth * 4)...]))
      }
    }
    return Bitmap(width: newWidth, height: newHeight, pixels: result)
  }

  /// Resamples one old row: computes for each new pixel the weighted sums of color times alpha, and of alpha.
  private func resampleRow(_ row: Int, into line: inout [Int]) {
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

  /// Converts the sums to rounded bytes.
  ///
  /// At 100 megapixels a sum is below 2^43.
  private func normalize(_ sums: [Int], area: Int, into row: UnsafeMutableBufferPointer<UInt8>) {
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

extension Bitmap {
  /// Decodes the picture completely and applies its EXIF orientation.
  ///
  /// - Throws: The errors of ``PictureHeader/read(_:)``; ``PictureError/damaged(_:)`` for a truncated file.
  package init(decoding bytes: Data) throws(PictureError) {
    try self.init(decoding: bytes, header: PictureHeader.read(bytes), eighths: 8)
  }

  /// Decodes the picture only as large as needed to scale its longer side to `side` without enlarging it: a JPEG of 100
  /// megapixels then needs no 400 MB.
  ///
  /// - Throws: The errors of decoding the complete picture.
  package init(decoding bytes: Data, covering side: Int) throws(PictureError) {
    try self.init(decoding: bytes, header: PictureHeader.read(bytes), covering: side)
  }

  /// Decodes a picture with a known header, only as large as needed for `side`.
  init(decoding bytes: Data, header: PictureHeader, covering side: Int) throws(PictureError) {
    let longer = max(header.storedWidth, header.storedHeight)
    let eighths = (1...8).first { longer * $0 / 8 >= side } ?? 8
    try self.init(decoding: bytes, header: header, eighths: eighths)
  }

  /// Decodes a picture with a known header at about `pixels` pixels at most, if the format allows it.
  init(decoding bytes: Data, header: PictureHeader, atMost pixels: Int) throws(PictureError) {
    let stored = header.storedWidth * header.storedHeight
    let eighths = (1...8).last { stored / 64 * $0 * $0 <= pixels } ?? 1
    try self.init(decoding: bytes, header: header, eighths: eighths)
  }

  private init(decoding bytes: Data, header: PictureHeader, eighths: Int) throws(PictureError) {
    let stored =
      switch header.format {
      case .jpeg: try JPEGCodec.decode(bytes, header: header, eighths: eighths)
      case .png: try PNGCodec.decode(bytes)
      }
    self = stored.applying(header.orientation)
  }

  /// Returns a JPEG of the picture on a white background; `quality` is 1...100.
  ///
  /// - Throws: `PictureError` if encoding fails.
  package func jpeg(quality: Int) throws(PictureError) -> Data {
    try JPEGCodec.encode(composited(), quality: quality)
  }

  /// Returns a PNG of the picture with its transparency.
  ///
  /// - Throws: `PictureError` if encoding fails.
  package func png() throws(PictureError) -> Data {
    try PNGCodec.encode(self)
  }
}
