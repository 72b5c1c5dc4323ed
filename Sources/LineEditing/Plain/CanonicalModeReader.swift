import Glibc
import Text

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
  func readLine(_ prompt: String, discardsTypeahead: Bool = false) -> Input {
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
