import Foundation
import Images
import TestSupport
import Testing

@Suite struct BitmapDecodingTests {
  @Test(arguments: [
    (Samples.progressive, Pixel(red: 200, green: 40, blue: 30), Pixel(red: 20, green: 60, blue: 220)),
    (Samples.gray, Pixel(red: 64, green: 64, blue: 64), Pixel(red: 192, green: 192, blue: 192)),
    (Samples.cmyk, Pixel(red: 255, green: 0, blue: 0), Pixel(red: 0, green: 100, blue: 200)),
  ])
  func `Every kind of JPEG shows its colours`(bytes: Data, left: Pixel, right: Pixel) throws {
    let bitmap = try Bitmap(decoding: bytes)
    #expect((bitmap.width, bitmap.height) == (32, 16))
    #expect(difference(bitmap[4, 8], left) <= 4)
    #expect(difference(bitmap[28, 8], right) <= 4)
  }

  static let palette = CraftedPNG(
    width: 4, height: 1, depth: 2, colour: 3,
    chunks: [("PLTE", [255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9]), ("tRNS", [255, 128, 0])], rows: [0, 0b0001_1011])
  static let sixteen = CraftedPNG(
    width: 2, height: 1, depth: 16, colour: 2, rows: [0, 0xFF, 0xFF, 0x80, 0x80, 0, 0, 0x40, 0x40, 0x20, 0x20, 0, 0])
  static let oneBit = CraftedPNG(width: 3, height: 1, depth: 1, colour: 0, rows: [0, 0b1010_0000])
  static let grayAlpha = CraftedPNG(width: 2, height: 1, colour: 4, rows: [0, 77, 255, 200, 0])
  static let woven = CraftedPNG(
    width: 2, height: 2, colour: 2, isInterlaced: true, rows: [0, 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 10, 11, 12])

  @Test(arguments: [
    (
      palette,
      [
        Pixel(red: 255, green: 0, blue: 0), Pixel(red: 0, green: 255, blue: 0, alpha: 128),
        Pixel(red: 0, green: 0, blue: 255, alpha: 0), Pixel(red: 9, green: 9, blue: 9),
      ]
    ),
    (sixteen, [Pixel(red: 255, green: 128, blue: 0), Pixel(red: 64, green: 32, blue: 0)]),
    (oneBit, [.white, .black, .white]),
    (grayAlpha, [Pixel(red: 77, green: 77, blue: 77), Pixel(red: 200, green: 200, blue: 200, alpha: 0)]),
    (
      woven,
      [
        Pixel(red: 1, green: 2, blue: 3), Pixel(red: 4, green: 5, blue: 6), Pixel(red: 7, green: 8, blue: 9),
        Pixel(red: 10, green: 11, blue: 12),
      ]
    ),
  ])
  func `Every kind of PNG shows its colours`(crafted: CraftedPNG, expected: [Pixel]) throws {
    let bitmap = try Bitmap(decoding: crafted.bytes)
    #expect((bitmap.width, bitmap.height) == (crafted.width, crafted.height))
    let found = (0..<bitmap.height).flatMap { y in (0..<bitmap.width).map { bitmap[$0, y] } }
    #expect(found.map { $0.alpha == 0 ? .clear : $0 } == expected.map { $0.alpha == 0 ? .clear : $0 })
  }

  static let notPictures: [Data] = [Data(), Data("Hello, market".utf8), Data("BM".utf8), Data([0xFF, 0xD8])]
  static let broken: [Data] = [
    Data([0xFF, 0xD8, 0xFF]),
    Samples.gray.prefix(100),
    Samples.gray.dropLast(2),
    Samples.progressive.dropLast(40),
    Samples.progressive.dropLast(40) + [0xFF, 0xD9] as Data,
    oneBit.bytes.dropLast(14),
    oneBit.bytes.prefix(33),
    oneBit.bytes.prefix(20),
    CraftedPNG(width: 9, height: 9, rows: [0]).bytes,
    CraftedPNG(width: 1, height: 1, depth: 3, rows: [0]).bytes,
    CraftedPNG(width: 1, height: 1, colour: 3, rows: [0, 0]).bytes,
    oneBit.bytes.prefix(33) + CraftedPNG.four(0xFFFF_FFFF) + Data("IDAT".utf8) as Data,
  ]

  @Test(arguments: notPictures.map { ($0, "not a picture") } + broken.map { ($0, "damaged") })
  func `A truncated file is not decoded`(bytes: Data, expected: String) {
    #expect(outcome { try Bitmap(decoding: bytes) } == expected)
  }

  @Test func `Extra bytes before a JPEG marker are skipped`() throws {
    let end = Samples.gray.count - 2
    let bytes = Samples.gray.prefix(end) + [0, 0, 0] + Samples.gray.suffix(2)
    #expect(try Bitmap(decoding: bytes) == Bitmap(decoding: Samples.gray))
  }

  @Test(arguments: 0..<6)
  func `A damaged picture is decoded or refused`(seed: Int) throws {
    let originals = [
      Samples.gray, Samples.cmyk, Samples.progressive, Self.palette.bytes, Self.woven.bytes,
      CraftedExif(orientation: 5, place: .latitude).inserted(into: Samples.gray),
    ]
    let rounds = Trial.isLong ? 20_000 : 300
    var dice = SplitMix64(UInt64(seed))
    for _ in 0..<rounds {
      var bytes = originals[seed]
      for _ in 0..<Int.random(in: 1...4, using: &dice) {
        bytes[Int.random(in: 3..<bytes.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      }
      if Bool.random(using: &dice) { bytes = bytes.prefix(Int.random(in: 3...bytes.count, using: &dice)) }
      // A corrupted size may be plausible with millions of pixels; decoding those is slow and proves nothing more.
      guard let header = try? PictureHeader.read(bytes), header.width * header.height < 1_000_000 else { continue }
      let result = outcome { try Bitmap(decoding: bytes) }
      #expect(["\(header.width)x\(header.height)", "damaged", "unsupported"].contains(result))
    }
  }
}
