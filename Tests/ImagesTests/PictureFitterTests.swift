import Foundation
import Images
import TestSupport
import Testing

@Suite struct PictureFitterTests {
  static let limit = 300 * 1024

  @Test func `A small upright picture without a location is unchanged`() throws {
    let bytes = CraftedExif(orientation: 1).inserted(into: Samples.progressive)
    let fitted = try PictureFitter.fit(bytes, below: bytes.count + 1)
    #expect(fitted.bytes == bytes)
    #expect((fitted.width, fitted.height, fitted.originalSize) == (32, 16, bytes.count))
    #expect(!fitted.wasReencoded && !fitted.hadGPSLocation && !fitted.wasRotated)
  }

  /// This holds for any size: no market rotates pictures, and no user wants to reveal where they live.
  @Test(arguments: [(6, false), (1, true), (6, true), (8, false)])
  func `A small picture is turned upright and loses its location`(orientation: Int, hasPlace: Bool) throws {
    let exif =
      hasPlace ? CraftedExif(orientation: orientation, place: .latitude) : CraftedExif(orientation: orientation)
    let bytes = exif.inserted(into: Samples.progressive)
    let fitted = try PictureFitter.fit(bytes, below: Self.limit)
    let header = try PictureHeader.read(fitted.bytes)
    #expect(header.orientation == .upright && !header.hasGPSLocation)
    #expect((header.width, header.height) == (orientation == 1 ? (32, 16) : (16, 32)))
    #expect((fitted.wasReencoded, fitted.hadGPSLocation, fitted.wasRotated) == (true, hasPlace, orientation != 1))
    let (red, blue) = (Pixel(red: 200, green: 40, blue: 30), Pixel(red: 20, green: 60, blue: 220))
    let sent = try Bitmap(decoding: fitted.bytes)
    // Rotated right, the left half is on top; rotated left, at the bottom.
    #expect(difference(sent[2, 2], orientation == 8 ? blue : red) <= 12)
    #expect(difference(sent[header.width - 3, header.height - 3], orientation == 8 ? red : blue) <= 12)
  }

  @Test func `A picture of exactly the limit is made smaller and loses its location`() throws {
    let bytes = CraftedExif(orientation: 1, place: .latitude).inserted(into: Samples.progressive) + Data(count: 900)
    let fitted = try PictureFitter.fit(bytes, below: bytes.count)
    #expect(fitted.bytes.count < bytes.count)
    #expect(fitted.wasReencoded && fitted.hadGPSLocation)
    #expect(try !PictureHeader.read(fitted.bytes).hasGPSLocation)
  }

  @Test func `A picture of five megabytes becomes slightly smaller than 300 KB`() throws {
    let bytes = try Samples.noise(width: 3200, height: 1800, grain: 3).jpeg(quality: 97)
    #expect(bytes.count > 5_000_000)
    let fitted = try PictureFitter.fit(bytes, below: Self.limit)
    #expect((Self.limit * 3 / 4..<Self.limit).contains(fitted.bytes.count))
    try expectFaithful(fitted, 3200, 1800)
  }

  @Test func `Quality is reduced before size`() throws {
    let bytes = try Samples.noise(width: 700, height: 500, grain: 4).jpeg(quality: 100)
    let fitted = try PictureFitter.fit(bytes, below: bytes.count / 2)
    #expect((fitted.width, fitted.height, fitted.format) == (700, 500, .jpeg))
    #expect(fitted.bytes.count > bytes.count * 2 / 5)
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `A fitted picture is small enough, complete and of the same aspect ratio`(seed: UInt64) throws {
    var dice = SplitMix64(seed)
    let (width, height) = (Int.random(in: 300...700, using: &dice), Int.random(in: 300...700, using: &dice))
    let grain = Int.random(in: 1...40, using: &dice)
    let bitmap = Samples.noise(width: width, height: height, grain: grain, seed: seed, opaque: seed % 4 != 0)
    let bytes = seed.isMultiple(of: 2) ? try bitmap.png() : try bitmap.jpeg(quality: 98)
    let limit = bytes.count / Int.random(in: 1...12, using: &dice)
    let fitted = try PictureFitter.fit(bytes, below: limit)
    #expect(fitted.bytes.count < limit)
    try expectFaithful(fitted, width, height)
  }

  @Test func `Visible transparency is kept`() throws {
    var bitmap = Bitmap(width: 900, height: 600, fill: .clear)
    let noise = Samples.noise(width: 300, height: 300)
    for y in 0..<300 { for x in 0..<300 { bitmap[x + 100, y + 100] = noise[x, y] } }
    let bytes = try bitmap.png()
    let fitted = try PictureFitter.fit(bytes, below: bytes.count * 2 / 3)
    #expect(fitted.format == .png)
    #expect(try Bitmap(decoding: fitted.bytes)[0, 0] == .clear)
    try expectFaithful(fitted, 900, 600)
    let flat = try PictureFitter.fit(bytes, below: bytes.count / 12)
    #expect(flat.format == .jpeg)
    #expect(try difference(Bitmap(decoding: flat.bytes)[0, 0], .white) <= 4)
  }

  @Test func `A limit below the smallest JPEG is refused`() throws {
    #expect(throws: PictureError.cannotFit(limit: 100)) { try PictureFitter.fit(Samples.progressive, below: 100) }
    #expect(throws: PictureError.cannotFit(limit: 0)) { try PictureFitter.fit(Samples.progressive, below: 0) }
  }

  @Test func `A small damaged picture is refused`() {
    for bytes in [Samples.gray.dropLast(2), BitmapDecodingTests.oneBit.bytes.dropLast(14), Data("no".utf8)] {
      #expect(throws: PictureError.self) { try PictureFitter.fit(bytes, below: Self.limit) }
    }
  }

  private func expectFaithful(_ fitted: FittedPicture, _ width: Int, _ height: Int) throws {
    let bitmap = try Bitmap(decoding: fitted.bytes)
    #expect((bitmap.width, bitmap.height) == (fitted.width, fitted.height))
    #expect(try PictureHeader.read(fitted.bytes).format == fitted.format)
    let stretch = Double(bitmap.width * height) / Double(bitmap.height * width)
    #expect(abs(stretch - 1) <= 0.01)
  }
}
