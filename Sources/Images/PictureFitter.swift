import Foundation

/// Reduces a picture below a byte limit: first by its quality, then by its size.
package enum PictureFitter {
  private static let maximumQuality = 90
  private static let minimumQuality = 55
  /// The initial quality of a picture that must be scaled down; in a shop the difference to 90 is invisible.
  private static let downscaledQuality = 75
  /// The minimum longer side, in pixels, at which a transparent picture remains a PNG.
  private static let shortestTransparentSide = 512
  /// The maximum side of a JPEG in pixels.
  ///
  /// The format allows 65,535, the library slightly less.
  private static let maximumSide = 65_500

  /// Returns the picture in fewer than `limit` bytes.
  ///
  /// A file that is small enough, upright, and without a GPS location is returned unchanged. Otherwise it becomes an
  /// upright JPEG without metadata; a PNG remains a PNG if it fits, or as long as it has transparency. Other formats
  /// are converted to one of the two.
  ///
  /// - Throws: The errors of ``PictureHeader/read(_:)``; ``PictureError/damaged(_:)`` for a file that cannot be decoded
  ///   completely, even if its bytes would be sent unchanged; ``PictureError/cannotFit(limit:)``.
  package static func fit(_ bytes: Data, below limit: Int) throws(PictureError) -> FittedPicture {
    if let foreign = ConvertibleFormat.detect(bytes) {
      let (format, small) = try shrink(try foreign.decode(bytes), below: limit)
      return FittedPicture(
        bytes: small.bytes, format: format, width: small.width, height: small.height, originalSize: bytes.count,
        wasReencoded: true, hadGPSLocation: foreign.hasPosition(bytes), originalFormat: foreign)
    }
    let header = try PictureHeader.read(bytes)
    if bytes.count < limit, header.orientation == .upright, !header.hasGPSLocation {
      try verify(bytes, header)
      return FittedPicture(
        bytes: bytes, format: header.format, width: header.width, height: header.height, originalSize: bytes.count,
        wasReencoded: false, hadGPSLocation: header.hasGPSLocation)
    }
    // A baseline JPEG of a single color takes an eighth of a bit per pixel. With more pixels than this no picture fits,
    // so they need not be decoded.
    let bitmap = try Bitmap(decoding: bytes, header: header, atMost: max(limit, 1) * 64)
    let (format, small) = try shrink(bitmap, from: header.format, below: limit)
    return FittedPicture(
      bytes: small.bytes, format: format, width: small.width, height: small.height, originalSize: bytes.count,
      wasReencoded: true, hadGPSLocation: header.hasGPSLocation, wasRotated: header.orientation != .upright)
  }

  /// Decodes the picture completely in little memory.
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
    return (.jpeg, try fitJPEG(bitmap.composited().scaled(toFit: maximumSide), below: limit))
  }

  /// Returns `nil` if the picture would become too small for a PNG.
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
    let best = Encoded(bitmap, try bitmap.jpeg(quality: maximumQuality))
    if best.bytes.count < limit { return best }
    let worst = Encoded(bitmap, try bitmap.jpeg(quality: minimumQuality))
    if worst.bytes.count < limit {
      return try refine(worst, fitting: minimumQuality, exceeding: maximumQuality, bitmap: bitmap, below: limit)
    }

    var side = reduced(max(bitmap.width, bitmap.height), from: worst.bytes.count * 3 / 2, to: limit)
    while side > 0 {
      let smaller = bitmap.scaled(toFit: side)
      let fair = Encoded(smaller, try smaller.jpeg(quality: downscaledQuality))
      if fair.bytes.count < limit {
        return try refine(
          fair, fitting: downscaledQuality, exceeding: maximumQuality + 1, bitmap: smaller, below: limit)
      }
      side = min(side - 1, reduced(side, from: fair.bytes.count, to: limit))
    }
    throw .cannotFit(limit: limit)
  }

  /// Returns the side at which a picture of `size` bytes is expected slightly below `limit`: bytes are proportional to
  /// the area.
  private static func reduced(_ side: Int, from size: Int, to limit: Int) -> Int {
    let ratio = (0.95 * Double(limit) / Double(max(size, 1))).squareRoot()
    return Int(exactly: (Double(side) * min(ratio, 1)).rounded(.down)) ?? 0
  }

  /// Searches for the highest quality that fits, between `fitting` and `exceeding`, until the limit is nearly used.
  private static func refine(
    _ start: Encoded, fitting: Int, exceeding: Int, bitmap: Bitmap, below limit: Int
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

/// A picture that may be sent, and the changes made to it, so that they can be reported.
package struct FittedPicture: Hashable, Sendable {
  package var bytes: Data
  package var format: PictureFormat
  /// The width in pixels as displayed.
  package var width: Int
  package var height: Int
  /// The size of the original file in bytes.
  package var originalSize: Int
  /// False if the bytes are those of the original file.
  package var wasReencoded: Bool
  /// Indicates whether the original contained a GPS location.
  ///
  /// Such a file is never sent unchanged, and the result contains none.
  package var hadGPSLocation: Bool
  /// Indicates whether the picture was rotated according to its orientation.
  package var wasRotated = false
  /// The original format if it was converted, or `nil` for a JPEG or PNG.
  package var originalFormat: ConvertibleFormat?
}

/// An encoded picture and its dimensions.
struct Encoded {
  let bytes: Data
  let width: Int
  let height: Int

  init(_ bitmap: Bitmap, _ bytes: Data) {
    self.bytes = bytes
    width = bitmap.width
    height = bitmap.height
  }
}

/// The thumbnail that a market shows in its lists.
package enum Thumbnail {
  private static let quality = 82

  /// Returns a picture whose longer side is at most `side` pixels, upright and without metadata: a PNG if it has
  /// transparency, otherwise a JPEG.
  ///
  /// It is never larger in pixels than the original.
  ///
  /// - Throws: `PictureError` if decoding or encoding fails.
  package static func make(_ bytes: Data, side: Int) throws(PictureError) -> Data {
    let small = try Bitmap(decoding: bytes, covering: side).scaled(toFit: side)
    return small.hasTransparency ? try small.png() : try small.jpeg(quality: quality)
  }
}
