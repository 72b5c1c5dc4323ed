import CEditLine
import Glibc

extension EditCore {
  private static let pasteOn = "\u{1B}[?2004h"
  private static let pasteOff = "\u{1B}[?2004l"

  /// Asks, and waits for Enter.
  func ask(_ question: Question) -> Input {
    show(question)
    input.endKey()
    (outcome, sawBadBytes, sawTooMuch, lastGood) = (nil, false, false, EditedLine())
    (menu, walk, search, holdsEscape, offer) = (nil, HistoryWalk(), nil, false, Offer())
    if !question.initial.isEmpty {
      // Before what was typed ahead.
      input.prepend(.text(InputQueue.Piece(text: question.initial)))
    }
    if mode == .vi { input.prepend(.key(InputQueue.newInsertion)) }
    let mail = mailbox.take()
    if mail.isStopped { return .end }
    changes = ChangeHistory()
    takeSize()
    // libedit would take the terminal only after the prompt is drawn, and keys in between would be echoed twice.
    takeTerminal()
    output.write(lead + mail.notices.map(Self.printed).joined() + Self.pasteOn)
    var count: Int32 = 0
    let answer = el_wgets(editLine, &count)
    output.write(shapeAtEnd() + Self.pasteOff)
    TerminalRestoration.gaveBack()
    var text = answer.map { String(wide: $0, count: Int(count)) } ?? ""
    if text.hasSuffix("\n") { text.unicodeScalars.removeLast() }
    if outcome != nil { text = lastGood.text }
    formHeight = question.isInForm ? end(of: EditedLine(text: text)).row + 1 : 0
    switch outcome {
    case .interrupted, .left: return .interrupted
    case .up, .down: return .line(text)
    case .end: return .end
    case nil:
      guard answer != nil, count > 0 else { return .end }
      let line = input(text)
      if !question.isField { passOnInterrupts() }
      return line
    }
  }

  /// The terminal's keys come as they are typed from now on.
  func takeTerminal() {
    TerminalRestoration.change(keyboard.descriptor, sendsCodes: true) { edit_prepare_terminal(editLine, 1) }
  }

  func giveTerminalBack() {
    edit_prepare_terminal(editLine, 0)
    TerminalRestoration.gaveBack()
  }

  /// A Ctrl-C that came behind Enter, before the terminal was given back, is still a key. It is made what it would have
  /// been a moment later: a signal for what runs now, and the end of what was typed ahead of it.
  private func passOnInterrupts() {
    while keyboard.hasKeys, readKeys() {}
    if input.dropThroughInterrupt() { kill(getpid(), SIGINT) }
  }

  /// Asks for a field; unlike ``ask(_:)`` it tells how the field was left.
  func askField(_ question: Question) -> FieldAnswer {
    let input = ask(question)
    guard case .line(let text) = input else { return FieldAnswer(input) }
    switch outcome {
    case .up: return .up(text)
    case .down: return .down(text)
    case .interrupted, .end, .left, nil: return .text(text)
    }
  }

  /// Takes away the rows of the form that was asked last.
  func eraseForm() {
    output.write(overForm)
    formHeight = 0
  }

  /// What makes room for the question.
  private var lead: String {
    if question.replacesLast, formHeight > 0 { return overForm }
    // What was typed ahead the terminal has shown already, and libedit shows it again: the first showing goes.
    return keyboard.hasWaiting ? "\r\u{1B}[K" : ""
  }

  private var overForm: String {
    let rows = min(formHeight, size.rows - 1)
    return rows > 0 ? "\u{1B}[\(rows)A\r\u{1B}[J" : ""
  }

  private func input(_ text: String) -> Input {
    if sawTooMuch { return .tooLong }
    if sawBadBytes, text.unicodeScalars.contains("\u{FFFD}") { return .notText }
    return text.utf8.count > LineLimit.bytes ? .tooLong : .line(text)
  }
}
