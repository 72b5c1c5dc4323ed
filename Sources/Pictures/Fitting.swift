import Foundation

/// Brings a picture below the market's limit: quality is given up first, size only after that.
package enum Fitting {
  private static let bestQuality = 90
  private static let worstQuality = 55
  /// What a picture that had to become smaller is given first; nobody sees the difference to 90 in a shop.
  private static let fairQuality = 75
  /// A transparent picture stays a PNG as long as its longer side keeps this many pixels.
  private static let shortestTransparentSide = 512
  /// Longest side a JPEG can have is 65,535; the library stops a little earlier.
  private static let longestSide = 65_500

  /// The picture in fewer than `limit` bytes: as it is when it already is so small, upright, and does not tell where it was
  /// taken, else as a JPEG, upright, its metadata dropped. A PNG stays PNG if it can, or while its transparency shows.
  /// Pictures of other kinds become one of the two.
  ///
  /// - Throws: what ``PictureHeader/read(_:)`` throws; ``PictureError/damaged(_:)`` for a file that does not decode to
  ///   its end, also when its bytes would be sent untouched; ``PictureError/cannotFit(limit:)``.
  package static func fit(_ bytes: Data, below limit: Int) throws(PictureError) -> FittedPicture {
    if let foreign = ForeignPicture.detect(bytes) {
      let (format, small) = try shrink(try foreign.decode(bytes), below: limit)
      return FittedPicture(
        bytes: small.bytes, format: format, width: small.width, height: small.height, originalSize: bytes.count,
        wasReencoded: true, hadPosition: foreign.hasPosition(bytes), source: foreign)
    }
    let header = try PictureHeader.read(bytes)
    if bytes.count < limit, header.orientation == .upright, !header.hasPosition {
      try verify(bytes, header)
      return FittedPicture(
        bytes: bytes, format: header.format, width: header.width, height: header.height, originalSize: bytes.count,
        wasReencoded: false, hadPosition: header.hasPosition)
    }
    // A baseline JPEG spends an eighth of a bit a pixel on a picture of one colour: with more pixels than this
    // nothing fits, so they need not be decoded.
    let bitmap = try Bitmap(decoding: bytes, header: header, atMost: max(limit, 1) * 64)
    let (format, small) = try shrink(bitmap, from: header.format, below: limit)
    return FittedPicture(
      bytes: small.bytes, format: format, width: small.width, height: small.height, originalSize: bytes.count,
      wasReencoded: true, hadPosition: header.hasPosition, wasTurned: header.orientation != .upright)
  }

  /// Reads the picture to its end in little memory.
  private static func verify(_ bytes: Data, _ header: PictureHeader) throws(PictureError) {
    switch header.format {
    case .jpeg: _ = try JPEGCodec.decode(bytes, header: header, eighths: 1)
    case .png: try PNGCodec.verify(bytes)
    }
  }

  private static func shrink(
    _ bitmap: Bitmap, from format: PictureFormat? = nil, below limit: Int
  ) throws(PictureError) -> (PictureFormat, Encoded) {
    if format == .png {
      let whole = Encoded(bitmap, try bitmap.png())
      if whole.bytes.count < limit { return (.png, whole) }
    }
    if bitmap.hasTransparency, let png = try fitPNG(bitmap, below: limit) { return (.png, png) }
    return (.jpeg, try fitJPEG(bitmap.flattened().scaled(toFit: longestSide), below: limit))
  }

  /// Nil when the picture would become too small to keep its transparency.
  private static func fitPNG(_ bitmap: Bitmap, below limit: Int) throws(PictureError) -> Encoded? {
    let longer = max(bitmap.width, bitmap.height)
    var side = longer
    for _ in 0..<5 {
      let smaller = bitmap.scaled(toFit: side)
      let png = Encoded(smaller, try smaller.png())
      if png.bytes.count < limit { return png }
      side = min(side - 1, reduced(side, from: png.bytes.count, to: limit))
      guard side >= min(shortestTransparentSide, longer) else { return nil }
    }
    return nil
  }

  private static func fitJPEG(_ bitmap: Bitmap, below limit: Int) throws(PictureError) -> Encoded {
    let best = Encoded(bitmap, try bitmap.jpeg(quality: bestQuality))
    if best.bytes.count < limit { return best }
    let worst = Encoded(bitmap, try bitmap.jpeg(quality: worstQuality))
    if worst.bytes.count < limit { return try refine(worst, worstQuality, bestQuality, bitmap, below: limit) }

    var side = reduced(max(bitmap.width, bitmap.height), from: worst.bytes.count * 3 / 2, to: limit)
    while side > 0 {
      let smaller = bitmap.scaled(toFit: side)
      let fair = Encoded(smaller, try smaller.jpeg(quality: fairQuality))
      if fair.bytes.count < limit {
        return try refine(fair, fairQuality, bestQuality + 1, smaller, below: limit)
      }
      side = min(side - 1, reduced(side, from: fair.bytes.count, to: limit))
    }
    throw .cannotFit(limit: limit)
  }

  /// The side at which a picture of `size` bytes should come out a little below `limit`: bytes go with the area.
  private static func reduced(_ side: Int, from size: Int, to limit: Int) -> Int {
    let ratio = (0.95 * Double(limit) / Double(max(size, 1))).squareRoot()
    return Int(exactly: (Double(side) * min(ratio, 1)).rounded(.down)) ?? 0
  }

  /// Raises the quality between one that fits and one that does not, until little room is left.
  private static func refine(
    _ start: Encoded, _ fitting: Int, _ exceeding: Int, _ bitmap: Bitmap, below limit: Int
  ) throws(PictureError) -> Encoded {
    var (found, low, high) = (start, fitting, exceeding)
    while high - low > 1, found.bytes.count < limit - limit / 32 {
      let middle = (low + high) / 2
      let attempt = Encoded(bitmap, try bitmap.jpeg(quality: middle))
      if attempt.bytes.count < limit { (found, low) = (attempt, middle) } else { high = middle }
    }
    return found
  }
}

/// A picture that may be sent, and what was done to it, so that it can be said.
package struct FittedPicture: Hashable, Sendable {
  package var bytes: Data
  package var format: PictureFormat
  /// Pixels, as a viewer shows them.
  package var width: Int
  package var height: Int
  /// Bytes of the file it was made from.
  package var originalSize: Int
  /// False when the bytes are the file's own, one for one.
  package var wasReencoded: Bool
  /// True when the file told where it was taken; its bytes are never sent, and what is sent does not tell.
  package var hadPosition: Bool
  /// It lay on its side, and stands upright now.
  package var wasTurned = false
  /// What it was before it became a JPEG or PNG; nil where it was one.
  package var source: ForeignPicture?
}
