import Foundation
import Images
import Testing

@Suite struct EXIFMetadataTests {
  /// The stored picture is `abc` over `def`; the values are the displayed rows.
  static let shown: [Orientation: String] = [
    .upright: "abc/def", .mirrored: "cba/fed", .upsideDown: "fed/cba", .flipped: "def/abc",
    .transposed: "ad/be/cf", .rotatedRight: "da/eb/fc", .transversed: "fc/eb/da", .rotatedLeft: "cf/be/ad",
  ]

  @Test(arguments: Orientation.allCases)
  func `A PNG is turned by its EXIF orientation`(orientation: Orientation) throws {
    var crafted = CraftedPNG(width: 3, height: 2, colour: 0, rows: [0, 97, 98, 99, 0, 100, 101, 102])
    crafted.chunks = [("eXIf", CraftedExif(orientation: orientation.rawValue).bytes)]
    let bitmap = try Bitmap(decoding: crafted.bytes)
    let rows = (0..<bitmap.height).map { y in
      String(decoding: (0..<bitmap.width).map { bitmap[$0, y].red }, as: UTF8.self)
    }
    #expect(rows.joined(separator: "/") == Self.shown[orientation])
  }

  @Test(arguments: Orientation.allCases, [true, false])
  func `A JPEG is turned by its EXIF orientation when decoded, fitted and scaled`(orientation: Orientation, big: Bool)
    throws
  {
    let plain = try Samples.corners.jpeg(quality: 95)
    let exif = CraftedExif(orientation: orientation.rawValue, isBigEndian: big)
    let bytes = exif.inserted(into: plain) + Data(count: 4096)
    let expected = Samples.corners.applying(orientation)
    let fitted = try PictureFitter.fit(bytes, below: 2048)
    #expect(fitted.wasReencoded)
    for result in [try Bitmap(decoding: bytes), try Bitmap(decoding: fitted.bytes)] {
      #expect((result.width, result.height) == (expected.width, expected.height))
      for (x, y) in [(2, 2), (expected.width - 3, 2), (2, expected.height - 3)] {
        #expect(difference(result[x, y], expected[x, y]) <= 12)
      }
    }
    let small = try Bitmap(decoding: Thumbnail.make(bytes, side: 16))
    #expect(max(small.width, small.height) == 16)
    #expect(difference(small[1, 1], expected[2, 2]) <= 30)
  }
}
