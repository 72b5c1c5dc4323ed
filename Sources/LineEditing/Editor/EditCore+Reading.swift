import CEditLine
import Glibc

extension EditCore {
  private static let pasteOn = "\u{1B}[?2004h"

  /// What libedit calls for each character: 1 with one in `character`, 0 at the end.
  func nextCharacter(_ character: UnsafeMutablePointer<wchar_t>) -> Int32 {
    if let next = input.nextOfKey() {
      character.pointee = next
      return 1
    }
    keepCursorInLine()
    if silence.takeBell() { output.write("\u{7}") }
    guardField()
    while true {
      guard let item = nextItem() else { return 0 }
      guard let item = gate(item) else { continue }
      beginKey(item)
      character.pointee = input.begin(item)
      return 1
    }
  }

  /// Waits for what comes next; nil at the end of the line or of the input.
  func nextItem() -> InputQueue.Item? {
    while true {
      if let item = input.next() {
        return item
      }
      // Keys that wait already change it once more.
      if !keyboard.hasKeys { draw() }
      options.whenFirstWaiting.take()?()
      var waits = [
        pollfd(fd: keyboard.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: mailbox.bell, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&waits, 2, decoder.patience)
      if ready < 0, errno != EINTR { return end() }
      takeSize()
      if ready == 0 { queue(decoder.settle()) }
      if ready > 0, waits[1].revents != 0, !readMail() { return nil }
      if ready > 0, waits[0].revents != 0, !readKeys() { return end() }
    }
  }

  private func end() -> InputQueue.Item? {
    // What libedit still draws goes nowhere.
    LostTerminal.letGo([output.descriptor, keyboard.descriptor])
    outcome = outcome ?? .end
    return nil
  }

  func readKeys() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(keyboard.descriptor, &bytes, bytes.count)
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
    if mail.isContinued, !keyboard.isRaw {
      giveTerminalBack()
      takeTerminal()
      menu = nil
      // The shell that let the program go on has written meanwhile: the prompt starts on a line of its own.
      painter.reset()
      output.write(Self.pasteOn + "\r\n" + mail.notices.map(Self.printed).joined())
    } else if !mail.notices.isEmpty {
      print(above: mail.notices)
    }
    return true
  }
}
