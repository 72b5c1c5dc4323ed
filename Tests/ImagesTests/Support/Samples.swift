import Foundation
import Images
import TestSupport

/// Small pictures with known pixels, and large ones that are hard to compress.
enum Samples {
  /// A picture of 32x16, left half (200, 40, 30), right half (20, 60, 220).
  static let progressive = decode(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoK
    CgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK
    CgoKCgoKCgr/wgARCAAQACADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAYH/8QAFQEBAQAAAAAAAAAAAAAAAAAACAf/
    2gAMAwEAAhADEAAAActE/UUqHcG//8QAFBABAAAAAAAAAAAAAAAAAAAAMP/aAAgBAQABBQIP/8QAFBEBAAAAAAAAAAAAAAAAAAAA
    EP/aAAgBAwEBPwE//8QAFBEBAAAAAAAAAAAAAAAAAAAAEP/aAAgBAgEBPwE//8QAFBABAAAAAAAAAAAAAAAAAAAAMP/aAAgBAQAG
    PwIP/8QAFBABAAAAAAAAAAAAAAAAAAAAMP/aAAgBAQABPyEP/9oADAMBAAIAAwAAABAAD//EABQRAQAAAAAAAAAAAAAAAAAAABD/
    2gAIAQMBAT8QP//EABQRAQAAAAAAAAAAAAAAAAAAABD/2gAIAQIBAT8QP//EABQQAQAAAAAAAAAAAAAAAAAAADD/2gAIAQEAAT8Q
    D//Z
    """)
  /// A picture of 32x16, left half 64, right half 192.
  static let gray = decode(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoK
    CgoKBggLDAsKDAkKCgr/wAALCAAQACABAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUF
    BAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVW
    V1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi
    4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/APz/AKK/oAor+f8Aor+gCiv/2Q==
    """)
  /// A picture of 32x16 in CMYK: left half magenta and yellow (red), right half cyan and half magenta with a little
  /// black.
  static let cmyk = decode(
    """
    /9j/7gAOQWRvYmUAZAAAAAAC/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoK
    CgYICwwLCgwJCgoK/9sAQwECAgICAgIFAwMFCgcGBwoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK
    CgoKCgoK/8AAFAgAEAAgBAERAAIRAQMRAQQRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMF
    BQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RV
    VldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh
    4uPk5ebn6Onq8fLz9PX29/j5+v/EAB8BAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwAB
    AgMRBAUhMQYSQVEHYXETIjKBCBRCkaGxwQkjM1LwFWJy0QoWJDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2Rl
    ZmdoaWpzdHV2d3h5eoKDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj5OXm5+jp
    6vLz9PX29/j5+v/aAA4EAQACEQMRBAAAPwD7Mr+rD/n/AD9/KKACvD6/5/z/ALKD4jooAK9wr/oAP+Nc+3KKACvD6/5/z/soPiOi
    gAr/2Q==
    """)

  /// A picture of 32x16: red, green over blue, white, so that the origin of every corner is visible.
  static let corners: Bitmap = {
    var bitmap = Bitmap(width: 32, height: 16)
    for y in 0..<16 {
      for x in 0..<32 {
        bitmap[x, y] =
          switch (x < 16, y < 8) {
          case (true, true): Pixel(red: 220, green: 20, blue: 20)
          case (false, true): Pixel(red: 20, green: 200, blue: 20)
          case (true, false): Pixel(red: 20, green: 20, blue: 220)
          case (false, false): Pixel(red: 240, green: 240, blue: 240)
          }
      }
    }
    return bitmap
  }()

  /// Returns noise in which `grain` neighbouring pixels share a color; a larger grain is easier to compress.
  static func noise(width: Int, height: Int, grain: Int = 1, seed: UInt64 = 1, opaque: Bool = true) -> Bitmap {
    var dice = SplitMix64(seed)
    var words = [UInt32](repeating: 0, count: width * height)
    let mask: UInt32 = opaque ? 0xFF00_0000 : 0
    words.withUnsafeMutableBufferPointer { words in
      var colour: UInt32 = 0
      for index in 0..<words.count {
        if index % grain == 0 { colour = UInt32(truncatingIfNeeded: dice.next()) | mask }
        words[index] = colour
      }
    }
    return Bitmap(width: width, height: height, pixels: words.withUnsafeBytes { Array($0) })
  }

  /// Returns the JPEG segments up to an empty scan for a picture of the given size.
  static func hollowJPEG(width: Int, height: Int) -> Data {
    let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8] + CraftedPNG.four(height << 16 | width) + [1, 1, 0x11, 0]
    return Data([0xFF, 0xD8] + frame + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0xFF, 0xD9])
  }

  private static func decode(_ text: String) -> Data {
    Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
  }
}
