/// Finds one run of bytes in another. Horspool's algorithm (R. N. Horspool, 1980): looks at few of the bytes.
enum ByteSearch {
  /// Where the needle first is; nil when it is nowhere. An empty needle is nowhere.
  static func first(_ needle: [UInt8], in text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    let length = needle.count
    guard length > 0, text.count >= length else { return nil }
    return needle.withUnsafeBufferPointer { needle in
      let last = needle[length - 1]
      var skip = [Int](repeating: length, count: 256)
      for place in 0..<length - 1 { skip[Int(needle[place])] = length - 1 - place }
      return skip.withUnsafeBufferPointer { skip in
        let bytes = text.base
        var end = text.startIndex + length - 1
        while end < text.endIndex {
          let byte = bytes[end]
          if byte == last {
            var back = 1
            while back < length, bytes[end - back] == needle[length - 1 - back] { back += 1 }
            if back == length { return end - length + 1 }
          }
          end += skip[Int(byte)]
        }
        return nil
      }
    }
  }
}
