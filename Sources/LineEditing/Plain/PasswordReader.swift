import Glibc
import Text

/// Prompts for a line that is never shown: no echo, no history, and not even its length on the screen.
struct PasswordReader {
  let input: Int32
  let output: Int32
  let mailbox: EditorInbox

  func readPassword(_ prompt: String) -> Input {
    // Input typed before the prompt was not meant for it.
    _ = tcflush(input, TCIFLUSH)
    guard
      let mode = TermiosOverride(
        input,
        { mode in
          mode.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
          mode.c_iflag &= ~tcflag_t(ICRNL | IXON)
          mode.setControlCharacter(VMIN, 1)
          mode.setControlCharacter(VTIME, 0)
        })
    else { return .endOfFile }
    defer {
      mode.restore()
      Descriptor.writeAll("\n", to: output)
    }
    let mail = mailbox.take()
    if mail.isStopped { return .endOfFile }
    Descriptor.writeAll(mail.notices.map { $0 + "\n" }.joined() + prompt, to: output)
    var secret: [UInt8] = []
    var decoder = KeyDecoder()
    decoder.joinsEscape = false
    while true {
      switch wait(for: decoder.waitLimit) {
      case .time:
        // The Escape key alone cancels.
        if decoder.endSequence().contains(where: { if case .escape = $0 { true } else { false } }) {
          return .interrupted
        }
      case .stopped: return .endOfFile
      case .cancelled: return .interrupted
      case .continued: mode.apply()
      case .notices(let notices):
        mode.apply()
        Descriptor.writeAll("\r\n" + notices.map { $0 + "\r\n" }.joined() + prompt, to: output)
      case .keys: if let result = takeKeys(&secret, decoder: &decoder, mode: mode, prompt: prompt) { return result }
      }
    }
  }

  private enum Event {
    case keys, time, stopped, cancelled, continued, notices([String])
  }

  /// Waits for keys or events; after `limit` milliseconds an incomplete key is over.
  private func wait(for limit: Int32) -> Event {
    while true {
      var waits = [
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        pollfd(fd: mailbox.readEnd, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&waits, 2, limit)
      if ready == 0 { return .time }
      if ready < 0, errno == EINTR { continue }
      if ready > 0, waits[1].revents != 0 {
        let mail = mailbox.take()
        if mail.isStopped { return .stopped }
        if mail.isCancelled { return .cancelled }
        // The shell that continued the program may have turned the echo on.
        if mail.isContinued, mail.notices.isEmpty { return .continued }
        if !mail.notices.isEmpty { return .notices(mail.notices) }
        continue
      }
      return .keys
    }
  }

  /// Reads one byte at a time, so that input after Enter is left for the next prompt.
  ///
  /// Keys without a character, such as arrows, are no part of a secret.
  private func takeKeys(
    _ secret: inout [UInt8], decoder: inout KeyDecoder, mode: TermiosOverride, prompt: String
  ) -> Input? {
    var byte: UInt8 = 0
    let count = read(input, &byte, 1)
    if count < 0, errno == EINTR || errno == EAGAIN { return nil }
    if count <= 0 { return .endOfFile }
    for key in decoder.decode([byte]) {
      switch key {
      case .scalar(let scalar):
        if let result = take(scalar, secret: &secret, mode: mode, prompt: prompt) { return result }
      case .paste(let paste):
        if paste.isTooLong { return .tooLong }
        secret += paste.isValidUTF8 ? Array(paste.text.utf8) : [0xFF]
      case .invalidUTF8: secret.append(0xFF)
      case .escape: return .interrupted
      case .sequence: break
      }
    }
    return nil
  }

  private func take(
    _ scalar: Unicode.Scalar, secret: inout [UInt8], mode: TermiosOverride, prompt: String
  ) -> Input? {
    switch scalar.value {
    case 3: return .interrupted
    case 4: return secret.isEmpty ? .endOfFile : nil
    case 10, 13: return result(secret)
    case 8, 0x7F:
      while let last = secret.popLast(), last & 0xC0 == 0x80 {}
    case 0x15: secret = []
    case 0x1A:
      mode.restore()
      Descriptor.writeAll("\n", to: output)
      raise(SIGTSTP)
      mode.apply()
      Descriptor.writeAll(prompt, to: output)
    default: if secret.count <= LineLimit.bytes { secret += String(scalar).utf8 }
    }
    return nil
  }

  private func result(_ secret: [UInt8]) -> Input {
    if secret.count > LineLimit.bytes { return .tooLong }
    guard !secret.contains(0), let text = String(validating: secret, as: UTF8.self) else { return .invalidUTF8 }
    return .line(text)
  }
}
