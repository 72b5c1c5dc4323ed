import CEditLine
import Glibc

extension EditCore {
  private static let pasteOn = "\u{1B}[?2004h"
  /// As long as a terminal may take between `ESC` and the rest of its sequence.
  private static let escapeWait: Int32 = 50

  /// What libedit calls for each character: 1 with one in `character`, 0 at the end.
  func nextCharacter(_ character: UnsafeMutablePointer<wchar_t>) -> Int32 {
    guardField()
    while true {
      if let next = pending.popFirst() {
        unpaint()
        character.pointee = gate(next)
        return 1
      }
      paint()
      options.whenFirstWaiting.take()?()
      var waits = [
        pollfd(fd: input.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: mailbox.bell, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&waits, 2, decoder.isInsideEscape ? Self.escapeWait : -1)
      if ready < 0, errno != EINTR { return end() }
      if output.size != size { redraw(below: []) }
      if ready == 0 { queue(decoder.settle()) }
      if ready > 0, waits[1].revents != 0, !readMail() { return 0 }
      if ready > 0, waits[0].revents != 0, !readKeys() { return end() }
    }
  }

  private func end() -> Int32 {
    // What libedit still draws goes nowhere.
    LostTerminal.letGo([output.descriptor, input.descriptor])
    unpaint()
    outcome = outcome ?? .end
    return 0
  }

  func readKeys() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(input.descriptor, &bytes, bytes.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN }
    if count == 0 { return false }
    queue(decoder.decode(bytes[..<count]))
    return true
  }

  /// False when the line is over.
  private func readMail() -> Bool {
    let mail = mailbox.take()
    if mail.isStopped || mail.isCancelled {
      _ = finish(mail.isStopped ? .end : .interrupted)
      return false
    }
    // After Ctrl-Z the terminal was taken again before this word came, and so it was when a command was stopped and the
    // prompt came later: what the terminal is tells, not that the program went on.
    if mail.isContinued, !input.isRaw {
      edit_prepare_terminal(editLine, 0)
      edit_prepare_terminal(editLine, 1)
      menu = nil
      // The shell that let the program go on has written meanwhile: the prompt starts on a line of its own.
      redraw(below: mail.notices, lead: Self.pasteOn + "\r\n")
    } else if !mail.notices.isEmpty {
      redraw(below: mail.notices)
    }
    return true
  }
}
