import CEditLine

extension String {
  /// Calls `body` with the text as libedit wants it: 32-bit characters with a zero at the end.
  func withWide<R>(_ body: (UnsafePointer<wchar_t>) -> R) -> R {
    let wide = unicodeScalars.map { wchar_t(bitPattern: $0.value) } + [0]
    return wide.withUnsafeBufferPointer { body($0.baseAddress!) }
  }

  init(wide start: UnsafePointer<wchar_t>, count: Int) {
    var scalars = String.UnicodeScalarView()
    for index in 0..<count {
      scalars.append(Unicode.Scalar(UInt32(bitPattern: start[index])) ?? "\u{FFFD}")
    }
    self.init(scalars)
  }

  /// The text from one Unicode scalar up to another.
  func scalars(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(unicodeScalars.dropFirst(range.lowerBound).prefix(range.count)))
  }
}
