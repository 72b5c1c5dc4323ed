import Glibc
import Text

/// Reads lines from a pipe or a file, validating each, in time linear in the input.
package struct LineReader: Sequence, IteratorProtocol {
  /// The error for a failed read; `code` is the `errno`.
  package struct Failure: Error, Equatable {
    package var code: Int32
  }

  private let descriptor: Int32
  private var chunk: [UInt8] = []
  private var position = 0
  private var isFirst = true
  private var hasEnded = false
  /// A Boolean value that indicates that the input has nothing after the chunk.
  private var isAtEnd = false

  package init(_ descriptor: Int32 = STDIN_FILENO) {
    self.descriptor = descriptor
  }

  /// Returns the next line, or `nil` at the end of the input.
  ///
  /// If reading fails, the last element is ``Input/unreadable(_:)``.
  package mutating func next() -> Input? {
    if hasEnded { return nil }
    do {
      let input = try read()
      return input == .endOfFile ? nil : input
    } catch {
      hasEnded = true
      return .unreadable(error.code)
    }
  }

  /// Reads the next line; returns ``Input/end`` if there is none.
  ///
  /// A line ends with LF or CR LF, the last one also with the input.
  ///
  /// - Throws: ``CommandError`` if the input cannot be read.
  package mutating func read() throws(Failure) -> Input {
    var line: [UInt8] = []
    var isTooLong = false
    while true {
      if position == chunk.count, try !fill() {
        hasEnded = true
        if line.isEmpty && !isTooLong { return .endOfFile }
        return result(&line, isTooLong)
      }
      let rest = chunk[position...]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      let part = rest[..<(end ?? rest.endIndex)]
      // One byte beyond the limit is stored, for the CR that may end the line.
      if line.count + part.count <= LineLimit.bytes + 1 { line += part } else { isTooLong = true }
      position = end.map { $0 + 1 } ?? chunk.count
      if end != nil { return result(&line, isTooLong) }
    }
  }

  /// The maximum number of bytes that are read before they are needed.
  private static let maximumAhead = 1 << 20

  /// Returns the complete lines after the last one that can be read without waiting, and whether no other follows.
  ///
  /// They are read again by `next`.
  package mutating func availableLines() -> (lines: [Input], isWhole: Bool) {
    while !isAtEnd, chunk.count - position < LineReader.maximumAhead, isReady {
      do {
        let rest = Array(chunk[position...])
        isAtEnd = try !fill()
        chunk = rest + chunk
      } catch {
        // The next line reports it.
        break
      }
    }
    var copy = self
    if !isAtEnd {
      let end = chunk.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      copy.chunk.removeSubrange(Swift.max(position, end)...)
      if end < position { return ([], false) }
    }
    copy.isAtEnd = true
    var lines: [Input] = []
    while let line = try? copy.read(), line != .endOfFile { lines.append(line) }
    return (lines, isAtEnd)
  }

  /// A Boolean value that indicates that a read doesn't wait.
  private var isReady: Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) > 0 && waiting.revents & Int16(POLLIN | POLLHUP) != 0
  }

  private mutating func result(_ line: inout [UInt8], _ isTooLong: Bool) -> Input {
    if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    isFirst = false
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if isTooLong || line.count > LineLimit.bytes { return .tooLong }
    guard !line.contains(0), let text = String(validating: line, as: UTF8.self) else { return .invalidUTF8 }
    return .line(text)
  }

  private mutating func fill() throws(Failure) -> Bool {
    if hasEnded || isAtEnd {
      (chunk, position) = ([], 0)
      return false
    }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, -1)
        continue
      }
      if count < 0 { throw Failure(code: errno) }
      bytes.removeSubrange(count...)
      (chunk, position) = (bytes, 0)
      return count > 0
    }
  }
}

/// The result of prompting a user, or reading a pipe, for one line.
package enum Input: Sendable, Equatable {
  /// The text without its line end.
  ///
  /// Pasted and continued lines contain newlines.
  case line(String)
  /// Ctrl-C: the typed text is discarded.
  case interrupted
  /// The line is to be changed in an external editor and prompted for again.
  case editor(String)
  /// Ctrl-D on an empty line, the end of the input, or a hung-up terminal.
  case endOfFile
  /// The line contained bytes that are not UTF-8, or a NUL; nothing of it may run.
  case invalidUTF8
  /// The line was longer than ``LineLimit/bytes``; nothing of it may run.
  case tooLong
  /// Reading failed; the value is the `errno`.
  ///
  /// No input follows.
  case unreadable(Int32)
}

/// The result of prompting for one field of a form.
package enum FieldAnswer: Sendable, Equatable {
  case text(String)
  /// The user moved to the field above or below; the text may be incomplete.
  case up(String)
  case down(String)
  /// Esc, Ctrl-C, or the end of the input.
  case cancelled
  case notText
  case tooLong

  init(_ input: Input) {
    switch input {
    case .line(let text): self = .text(text)
    case .interrupted, .endOfFile, .unreadable, .editor: self = .cancelled
    case .invalidUTF8: self = .notText
    case .tooLong: self = .tooLong
    }
  }
}

/// Prompts on a terminal without cursor movement: the kernel edits the lines, and no escape code is sent.
struct CanonicalModeReader {
  let input: Int32
  let output: Int32
  let mailbox: EditorInbox
  /// The maximum length of a line in the kernel, which silently drops the rest.
  private static let kernelLimit = 4095

  /// Prompts for a line.
  ///
  /// Ctrl-C and Ctrl-Z are made line ends, so that they are read instead of raising signals.
  func readLine(_ prompt: String, discardsTypeahead: Bool = false, willRead: () -> Void = {}) -> Input {
    if discardsTypeahead { _ = tcflush(input, TCIFLUSH) }
    guard
      let guarded = TermiosOverride(
        input,
        { mode in
          mode.c_lflag = (mode.c_lflag | tcflag_t(ICANON | ECHO)) & ~tcflag_t(ISIG)
          mode.c_iflag |= tcflag_t(IUTF8 | ICRNL)
          mode.setControlCharacter(VEOL, 3)
          mode.setControlCharacter(VEOL2, 0x1A)
        })
    else { return .endOfFile }
    defer { guarded.restore() }
    let mail = mailbox.take()
    if mail.isStopped { return .endOfFile }
    willRead()
    var bytes: [UInt8] = []
    say(mail.notices.map { $0 + "\n" }.joined() + prompt)
    while true {
      guard wait(prompt, guarded) else { return mailbox.take().isStopped ? .endOfFile : .interrupted }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = read(input, &chunk, chunk.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      if count <= 0 {
        if count == 0, !bytes.isEmpty { continue }
        say("\n")
        return .endOfFile
      }
      bytes += chunk[..<count]
      switch chunk[count - 1] {
      case 3:
        say("\n")
        return .interrupted
      case 0x1A:
        guarded.restore()
        raise(SIGTSTP)
        guarded.apply()
        bytes.removeLast()
        say("\n" + prompt + String(decoding: bytes, as: UTF8.self))
      case 10:
        bytes.removeLast()
        return Self.result(bytes)
      default: break
      }
    }
  }

  private static func result(_ bytes: [UInt8]) -> Input {
    if bytes.count >= kernelLimit - 1 { return .tooLong }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return .invalidUTF8 }
    return .line(Composer.joined(text))
  }

  /// Waits for input and prints notices.
  ///
  /// Returns false if the line is cancelled.
  private func wait(_ prompt: String, _ mode: TermiosOverride) -> Bool {
    while true {
      var waits = [
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        pollfd(fd: mailbox.readEnd, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&waits, 2, -1)
      if ready < 0, errno == EINTR { continue }
      if ready > 0, waits[1].revents != 0 {
        let mail = mailbox.take()
        if mail.isStopped || mail.isCancelled { return false }
        if mail.isContinued { mode.apply() }
        if !mail.notices.isEmpty { say("\n" + mail.notices.map { $0 + "\n" }.joined() + prompt) }
      }
      if ready <= 0 || waits[0].revents != 0 { return true }
    }
  }

  private func say(_ text: String) {
    Descriptor.writeAll(text, to: output)
  }
}
