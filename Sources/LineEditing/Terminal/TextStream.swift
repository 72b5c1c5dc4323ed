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

/// The C stream libedit takes for the keyboard; keys are read from its descriptor by us.
struct TerminalStream {
  let file: UnsafeMutablePointer<FILE>
  let descriptor: Int32

  /// The stream over a copy of the descriptor, which outlives what others do to theirs.
  init?(_ descriptor: Int32, mode: String) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0, let file = fdopen(copy, mode) else { return nil }
    self.file = file
    self.descriptor = copy
  }

  func close() {
    fclose(file)
  }

  /// Whether keys wait to be read.
  var hasWaiting: Bool {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
  }

  /// Whether a read would give keys at once.
  var hasKeys: Bool {
    var waits = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waits, 1, 0) > 0 && waits.revents & Int16(POLLIN) != 0
  }

  /// Whether keys come as they are typed, not line by line.
  var isRaw: Bool {
    var mode = termios()
    return tcgetattr(descriptor, &mode) == 0 && mode.c_lflag & tcflag_t(ICANON) == 0
  }
}

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
