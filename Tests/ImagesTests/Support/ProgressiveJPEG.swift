import Foundation

/// A progressive gray JPEG of 16x16 pixels, whose scans have no content: the first one the DC coefficients, and each of the
/// others one bit of an AC coefficient (ITU T.81, annex G).
struct ProgressiveJPEG {
  var scanCount: Int
  /// A comment before each scan but the first.
  var comment: [UInt8] = []

  var bytes: Data {
    var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
    bytes += [0xFF, 0xC2, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0]
    // One code of one bit each: no difference, and the end of the band for the four blocks (EOB2 and two more bits).
    bytes += huffman(class: 0, value: 0x00) + huffman(class: 1, value: 0x20)
    bytes += scan(coefficients: 0...0, high: 0, low: 0) + [0b0000_1111]
    var left = scanCount - 1
    for coefficient in UInt8(1)...63 {
      for low in (UInt8(0)...7).reversed() where left > 0 {
        if !comment.isEmpty { bytes += [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment }
        bytes += scan(coefficients: coefficient...coefficient, high: low == 7 ? 0 : low + 1, low: low) + [0b0001_1111]
        left -= 1
      }
    }
    return Data(bytes + [0xFF, 0xD9])
  }

  private func huffman(class kind: UInt8, value: UInt8) -> [UInt8] {
    [0xFF, 0xC4, 0, 20, kind << 4, 1] + [UInt8](repeating: 0, count: 15) + [value]
  }

  private func scan(coefficients: ClosedRange<UInt8>, high: UInt8, low: UInt8) -> [UInt8] {
    [0xFF, 0xDA, 0, 8, 1, 1, 0, coefficients.lowerBound, coefficients.upperBound, high << 4 | low]
  }
}
