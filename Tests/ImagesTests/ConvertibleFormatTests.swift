import Foundation
import TestSupport
import Testing

@testable import Images

/// Formats that no market accepts: decoded if their library is installed, and sent as JPEG or PNG.
@Suite struct ConvertibleFormatTests {
  struct Sample: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var kind: ConvertibleFormat
    var bytes: Data
    /// The maximum difference of a color from the original.
    var tolerance: Int
    var isTransparent = false

    init(_ name: String, _ kind: ConvertibleFormat, tolerance: Int, isTransparent: Bool = false, _ base64: String) {
      testDescription = name
      self.kind = kind
      self.tolerance = tolerance
      self.isTransparent = isTransparent
      bytes = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    }
  }

  /// 48x32: green where both coordinates are below 16, then red up to 24, then blue.
  ///
  /// Animations have a black second frame, and in some the blue is transparent. Made with cwebp, img2webp and webpmux
  /// 1.2.4 and with heif-enc 1.15.1.
  static let samples = [
    Sample(
      "WebP", .webp, tolerance: 60,
      """
      UklGRmwAAABXRUJQVlA4IGAAAABwBACdASowACAAPqlGnEmmI6KhNVv4AMAVCWIAeIXxb8RuFQO/QkSasorkAAD+0Mr//5jE7TLy//9Oejno561l
      /QBAfzTH8F3VneCRO4h9/XX2wGk3KN+qH+UNClAAAAA=
      """),
    Sample(
      "moving WebP", .webp, tolerance: 60,
      """
      UklGRuoAAABXRUJQVlA4WAoAAAACAAAALwAAHwAAQU5JTQYAAAD/////AABBTk1GeAAAAAAAAAAAAC8AAB8AAGQAAAJWUDggYAAAAHAEAJ0BKjAAIAA+
      qUacSaYjoqE1W/gAwBUJYgB4hfFvxG4VA79CRJqyiuQAAP7Qyv//mMTtMvL//056OejnrWX9AEB/NMfwXdWd4JE7iH39dfbAaTco36of5Q0KUAAAAEFO
      TUY+AAAAAAAAAAAALwAAHwAAZAAAAFZQOCAmAAAAlAIAnQEqMAAgAD61WKZOglaAAAFolpAAApQ23wAA/vXksGAAAAA=
      """),
    Sample(
      "moving WebP without loss, clear in places", .webp, tolerance: 0, isTransparent: true,
      """
      UklGRpYAAABXRUJQVlA4WAoAAAASAAAALwAAHwAAQU5JTQYAAAD/////AABBTk1GPAAAAAAAAAAAAC8AAB8AAGQAAAJWUDhMJAAAAC8vwAcQFyAQSKKc
      ecThHo/5D5gNQgLCSSeNlSP6H6oFAM9V70FOTUYmAAAAAAAAAAAALwAAHwAAZAAAAFZQOEwOAAAALy/ABwAHEBH9D0RE/wM=
      """),
    Sample(
      "moving WebP, clear in places", .webp, tolerance: 60, isTransparent: true,
      """
      UklGRgABAABXRUJQVlA4WAoAAAASAAAALwAAHwAAQU5JTQYAAAD/////AABBTk1GjAAAAAAAAAAAAC8AAB8AAGQAAABBTFBIEwAAABEPMP8REUIsmMxf
      OoPuiP5HhXMAVlA4IFgAAACwBACdASowACAAPuFepk2opSOiNVv4ARAcCWIAyMeB+LfiNyBkJcz8C//pu35gAP7E7//hk6lt3/5VoYA3vsv94OY23qva
      ZvtlvHsAzSmuPhJfkGkAAAAAQU5NRkAAAAAAAAAAAAAvAAAfAABkAAAAVlA4ICgAAADwAgCdASowACAAPu12tFQppyUjJWgBMB2JaQAAPhYDiAD+8USA
      AAAA
      """),
    Sample(
      "HEIC", .heif, tolerance: 60,
      """
      AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAA
      AAACAAAAEGlkYXQAAAAAADAAIAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEAAAAAAAAAOwACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYA
      AAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe
      8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFlurkprm4EBAwIAAAAwAgAAAD
      ACEiAAEABkQBwXPAiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAMAAAACAAAAAQcGl4aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAA
      AgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAAENtZGF0AAAANygBrxOA5TH3/ttT/xOw/xBhlf5ZgWA9ztaxq/j0Eafk/TdW
      voKJ/uxUkTL/jkMQbNASyyG5k/A=
      """),
    Sample(
      "AVIF", .heif, tolerance: 60,
      """
      AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAA
      AAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAOgAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAamlwcnAAAABL
      aXBjbwAAABNjb2xybmNseAACAAIABoAAAAAMYXYxQ4EADAAAAAAUaXNwZQAAAAAAAAAwAAAAIAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAA
      AAABAAEEgYIDhAAAAEJtZGF0EgAKCRgVL/sECAgaEDIrRgACiiihQOlAAoKK/68hq3TGc0PnCg8IR0o6m8Q8VPB9/tFImnumdkKRpA==
      """),
  ]

  @Test(arguments: samples) func convertedPictureHasTheOriginalPixels(_ sample: Sample) throws {
    #expect(ConvertibleFormat.detect(sample.bytes) == sample.kind)
    let bitmap = try sample.kind.decode(sample.bytes)
    #expect((bitmap.width, bitmap.height) == (48, 32))
    for (x, y, colour) in [
      (5, 5, Pixel(red: 0, green: 200, blue: 0)), (8, 26, Pixel(red: 220, green: 30, blue: 30)),
      (40, 16, Pixel(red: 30, green: 30, blue: 220)),
    ] {
      if sample.isTransparent, x == 40 {
        #expect(bitmap[x, y].alpha == 0)
      } else {
        #expect(difference(bitmap[x, y], colour) <= sample.tolerance, "\(bitmap[x, y]) at \(x), \(y)")
      }
    }
  }

  /// The result is a JPEG, or a PNG if there is transparency, and it records the original format.
  @Test(arguments: samples) func convertedPictureIsJPEGOrTransparentPNG(_ sample: Sample) throws {
    let fitted = try PictureFitter.fit(sample.bytes, below: 300 * 1024)
    #expect(fitted.format == (sample.isTransparent ? .png : .jpeg))
    #expect(fitted.originalFormat == sample.kind && fitted.wasReencoded && !fitted.hadGPSLocation)
    #expect((fitted.width, fitted.height) == (48, 32))
    #expect(PictureFormat.detect(fitted.bytes) == fitted.format)
  }

  /// Truncated or corrupted in any way, each results in a picture or an error.
  @Test(arguments: samples) func damagedFileIsDecodedOrRefused(_ sample: Sample) throws {
    for length in stride(from: 0, to: sample.bytes.count, by: 3) {
      let cut = sample.bytes.prefix(length)
      if let kind = ConvertibleFormat.detect(Data(cut)) { _ = try? kind.decode(Data(cut)) }
    }
    var random = SplitMix64(Trial.seed)
    for _ in 0..<Trial.count(400, long: 20_000) {
      var bent = sample.bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bent[Int.random(in: 12..<bent.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let bitmap = try? sample.kind.decode(bent) else { continue }
      #expect(bitmap.pixels.count == bitmap.width * bitmap.height * 4)
    }
  }

  /// A first frame of 16x16 at 16, 8 of a picture that is as large as all its frames together.
  @Test func firstFrameIsAtItsOffset() throws {
    let sample = Sample(
      "a frame beside others", .webp, tolerance: 0,
      """
      UklGRoIAAABXRUJQVlA4WAoAAAACAAAAHwAAFwAAQU5JTQYAAAD/////AABBTk1GKAAAAAgAAAQAAA8AAA8AAGQAAABWUDhMDwAAAC8PwAMAB1DkiP4H
      IqL/AQBBTk1GJgAAAAAAAAAAAA8AAA8AAGQAAABWUDhMDgAAAC8PwAMABxAR/Q9ERP8D
      """)
    let bitmap = try ConvertibleFormat.webp.decode(sample.bytes)
    #expect((bitmap.width, bitmap.height) == (32, 24))
    let places = [(15, 8), (16, 7), (0, 0)].map { bitmap[$0.0, $0.1].alpha }
    #expect(places == [0, 0, 0])
    #expect(bitmap[16, 8] == Pixel(red: 0, green: 200, blue: 0) && bitmap[31, 23] == Pixel(red: 0, green: 200, blue: 0))
    // The declared width of the picture is less than that of its frame.
    var bent = sample.bytes
    bent[24] = 9
    #expect(throws: PictureError.damaged(.oversizedFrame)) {
      try ConvertibleFormat.webp.decode(bent)
    }
  }

  @Test func gifIsRefusedByName() {
    for bytes in [Data("GIF87a".utf8), Data("GIF89a".utf8)] {
      #expect(ConvertibleFormat.detect(bytes) == nil)
      #expect(throws: PictureError.gif) { try PictureFitter.fit(bytes, below: 300 * 1024) }
    }
  }
}
