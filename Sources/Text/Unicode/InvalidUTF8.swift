/// The search for bytes that aren't UTF-8.
package enum InvalidUTF8 {
  /// Returns the offset of the first sequence that isn't UTF-8 (RFC 3629, section 4).
  package static func firstOffset(in data: some Sequence<UInt8>) -> Int? {
    let bytes = Array(data)
    var index = 0
    while index < bytes.count {
      let (first, next) = (bytes[index], index + 1 < bytes.count ? bytes[index + 1] : 0)
      let range: ClosedRange<UInt8>
      let count: Int
      switch first {
      case 0...0x7F:
        index += 1
        continue
      case 0xC2...0xDF: (count, range) = (1, 0x80...0xBF)
      case 0xE0: (count, range) = (2, 0xA0...0xBF)
      case 0xED: (count, range) = (2, 0x80...0x9F)
      case 0xE1...0xEF: (count, range) = (2, 0x80...0xBF)
      case 0xF0: (count, range) = (3, 0x90...0xBF)
      case 0xF1...0xF3: (count, range) = (3, 0x80...0xBF)
      case 0xF4: (count, range) = (3, 0x80...0x8F)
      default: return index
      }
      guard index + count < bytes.count, range.contains(next),
        bytes[(index + 1)...(index + count)].allSatisfy({ (0x80...0xBF).contains($0) })
      else { return index }
      index += count + 1
    }
    return nil
  }
}
