import CEditLine
import Glibc

/// A C stream into memory: takes what libedit would print about its key bindings.
final class TextStream {
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

  /// Whether a bell was rung since the last time.
  func takeBell() -> Bool {
    fflush(file)
    let hasBell = UnsafeRawBufferPointer(start: buffer.pointee, count: size.pointee).contains(7)
    fseek(file, 0, SEEK_SET)
    return hasBell
  }

  /// What was written since the last time.
  func take() -> String {
    fflush(file)
    let bytes = UnsafeRawBufferPointer(start: buffer.pointee, count: size.pointee)
    let text = String(decoding: bytes, as: UTF8.self)
    fseek(file, 0, SEEK_SET)
    return text
  }
}
