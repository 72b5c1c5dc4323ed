import Glibc

/// A C stream in memory, for what libedit prints about its key bindings.
final class MemoryStream {
  private let buffer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let size: UnsafeMutablePointer<Int>
  let file: UnsafeMutablePointer<FILE>

  init?() {
    buffer = .allocate(capacity: 1)
    buffer.initialize(to: nil)
    size = .allocate(capacity: 1)
    size.initialize(to: 0)
    guard let file = open_memstream(buffer, size) else {
      buffer.deallocate()
      size.deallocate()
      return nil
    }
    self.file = file
  }

  deinit {
    fclose(file)
    free(buffer.pointee)
    buffer.deallocate()
    size.deallocate()
  }

  /// Returns true if a bell was written since the last call.
  func takeBell() -> Bool {
    fflush(file)
    let hasBell = UnsafeRawBufferPointer(start: buffer.pointee, count: size.pointee).contains(7)
    fseek(file, 0, SEEK_SET)
    return hasBell
  }

  /// Returns the text written since the last call.
  func take() -> String {
    fflush(file)
    let bytes = UnsafeRawBufferPointer(start: buffer.pointee, count: size.pointee)
    let text = String(decoding: bytes, as: UTF8.self)
    fseek(file, 0, SEEK_SET)
    return text
  }
}

extension String {
  /// Calls `body` with the text as libedit expects it: 32-bit characters terminated by zero.
  func withWCharString<R>(_ body: (UnsafePointer<wchar_t>) -> R) -> R {
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

  /// Returns the text of a range of Unicode scalars.
  func substring(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(unicodeScalars.dropFirst(range.lowerBound).prefix(range.count)))
  }
}
