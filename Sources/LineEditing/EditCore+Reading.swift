import CEditLine
import Glibc

extension EditCore {
  private static let pasteOn = "\u{1B}[?2004h"
  private static let pasteOff = "\u{1B}[?2004l"
  /// As long as a terminal may take between `ESC` and the rest of its sequence.
  private static let escapeWait: Int32 = 50
  /// More characters at once than fingers send: put in as one piece, or a long line takes quadratic time.
  private static let manyCharacters = 32

  /// Asks, and waits for Enter.
  func ask(_ question: Question) -> Input {
    show(question)
    (outcome, sawBadBytes, sawTooMuch, lastGood, painted) = (nil, false, false, Line(), nil)
    if !question.initial.isEmpty { push(.insert, question.initial) }
    let mail = mailbox.take()
    if mail.isStopped { return .end }
    if output.size != size { resize() }
    // libedit would take the terminal only after the prompt is drawn, and keys in between would be echoed twice.
    edit_prepare_terminal(editLine, 1)
    for notice in mail.notices { output.write(Self.printed(notice)) }
    output.write(question.prompt.above + Self.pasteOn)
    output.flush()
    var count: Int32 = 0
    let answer = el_wgets(editLine, &count)
    output.write(Self.pasteOff)
    output.flush()
    switch outcome {
    case .interrupted: return .interrupted
    case .end: return .end
    case nil: break
    }
    guard let answer, count > 0 else { return .end }
    if sawTooMuch { return .tooLong }
    var text = String(wide: answer, count: Int(count))
    if text.hasSuffix("\n") { text.unicodeScalars.removeLast() }
    if sawBadBytes, text.unicodeScalars.contains("\u{FFFD}") { return .notText }
    return text.utf8.count > LineLimit.bytes ? .tooLong : .line(text)
  }

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
    unpaint()
    outcome = outcome ?? .end
    return 0
  }

  private func readKeys() -> Bool {
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
    if mail.isContinued {
      edit_prepare_terminal(editLine, 0)
      edit_prepare_terminal(editLine, 1)
    }
    // The shell that let the program go on has written meanwhile: the prompt starts on a line of its own.
    if mail.isContinued {
      redraw(below: mail.notices, lead: Self.pasteOn + "\r\n")
    } else if !mail.notices.isEmpty {
      redraw(below: mail.notices)
    }
    return true
  }

  // MARK: Keys

  func queue(_ keys: [Key]) {
    var text = String.UnicodeScalarView()
    for key in keys {
      switch key {
      case .scalar(let scalar) where scalar.value < 0x20 || scalar.value == 0x7F:
        queue(&text)
        pending.append(wchar_t(bitPattern: scalar.value))
      case .scalar(let scalar):
        // Codes of our own, and nothing that can be shown.
        if (0x80..<0xA0).contains(scalar.value) { continue }
        add(scalar, to: &text)
      case .notText:
        sawBadBytes = true
        text.append("\u{FFFD}")
      case .sequence(let bytes):
        queue(&text)
        if isBound(bytes) { pending += bytes.map { wchar_t($0) } }
      case .escape:
        queue(&text)
        pending.append(Code.escape.rawValue)
      case .paste(let paste):
        queue(&text)
        queue(paste)
      }
    }
    queue(&text)
  }

  private func add(_ scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView) {
    if let last = text.last {
      guard let joined = Composer.joined(last, scalar) else { return text.append(scalar) }
      text.removeLast()
      text.append(joined)
      return
    }
    let line = line
    if pending.isEmpty, line.cursor > 0, !Self.isSearching(line.text),
      let last = line.text.scalars(line.cursor - 1..<line.cursor).unicodeScalars.first,
      let joined = Composer.joined(last, scalar)
    {
      return push(.compose, String(joined))
    }
    text.append(scalar)
  }

  private func queue(_ text: inout String.UnicodeScalarView) {
    guard !text.isEmpty else { return }
    defer { text = .init() }
    guard hasRoom(for: String(text)) else { return }
    if text.count >= Self.manyCharacters, !Self.isSearching(line.text) {
      push(.insert, String(text))
    } else {
      pending += text.map { wchar_t(bitPattern: $0.value) }
    }
  }

  private func queue(_ paste: Key.Paste) {
    if !paste.isText { sawBadBytes = true }
    let text = Composer.joined(question.isField ? paste.text.replacing("\n", with: " ") : paste.text)
    if paste.isTooLong || !hasRoom(for: text) {
      sawTooMuch = true
      pending.append(Code.beep.rawValue)
    } else if !text.isEmpty {
      push(.insert, text)
    }
  }

  /// What goes beyond the limit is not kept at all; Enter then says so.
  private func hasRoom(for text: String) -> Bool {
    if sawTooMuch { return false }
    let waiting = payloads.reduce(0) { $0 + $1.utf8.count }
    guard line.text.utf8.count + waiting + text.utf8.count > LineLimit.bytes else { return true }
    sawTooMuch = true
    pending.append(Code.beep.rawValue)
    return false
  }

  private func push(_ code: Code, _ text: String) {
    payloads.append(text)
    pending.append(code.rawValue)
  }

  /// Enter may mean something else than the end of the line.
  private func gate(_ character: wchar_t) -> wchar_t {
    guard character == 10 || character == 13 else { return character }
    let text = line.text
    if Self.isSearching(text) || sawTooMuch { return character }
    if question.isField { return question.accepts(text) == nil ? character : Code.beep.rawValue }
    return question.isUnfinished(text) ? Code.more.rawValue : character
  }

  /// A field that refuses what the last key led to goes back to what it was.
  private func guardField() {
    guard question.isField else { return }
    let now = line
    if question.refuses(now.text), !question.refuses(lastGood.text) {
      pending.insert(Code.revert.rawValue, at: pending.startIndex)
    } else {
      lastGood = now
    }
  }
}
