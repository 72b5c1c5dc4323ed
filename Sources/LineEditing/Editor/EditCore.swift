import CEditLine
import Glibc

/// One editor: its parts, and the way of a line through them.
///
/// Lives on the editor's thread only. All keys come through ``nextCharacter(_:)``, which libedit calls for each; libedit
/// draws nothing, and what it writes goes to a stream in memory, of which only its beeps are passed on.
final class EditCore {
  /// How a line ended without Enter.
  enum Outcome {
    case interrupted, end
    /// A field of a form was left for the one above or below.
    case up, down
    /// Esc.
    case left
    /// The line is to be changed in an editor.
    case editor
  }

  let changes: LineChanges
  let recall: HistoryRecall
  let menu: CompletionMenu
  let suggestion: Suggestion
  let display: Display
  let keyMap: KeyMap
  private let buffer: LineBuffer
  private let keys: KeyReader
  private let gate: KeyGate
  private let mode: EditingMode
  private let terminal: LibeditTerminal
  private let mailbox: Mailbox
  private var marks: TerminalMarks
  private var question = Question(prompt: StyledPrompt(""))
  private var outcome: Outcome?
  /// What libedit was handed last.
  private var item: InputQueue.Item?
  /// What the line was before the last key; a field goes back to it when it refuses what the key led to.
  private var lastGood = EditedLine()
  /// The rows of the form that was asked last, down to the one the cursor went to; 0 when there is none.
  private var formHeight = 0

  /// Nil when the descriptors cannot be used or the terminal cannot move its cursor.
  init?(_ options: EditorOptions, mailbox: Mailbox) {
    guard let terminal = LibeditTerminal(options.programName, from: options.input, to: options.output) else {
      return nil
    }
    let editLine = terminal.editLine
    (self.terminal, self.mailbox) = (terminal, mailbox)
    marks = TerminalMarks(options.colors ? options.features : .none)
    buffer = LineBuffer(editLine)
    mode = EditingMode(editLine, terminal.keyboard)
    display = Display(terminal.output, hasColors: options.colors)
    changes = LineChanges(buffer)
    menu = CompletionMenu(buffer)
    recall = HistoryRecall(buffer, changes, History(path: options.historyFile))
    suggestion = Suggestion(buffer, changes, recall, isOn: options.suggestions)
    keyMap = KeyMap(editLine, errors: terminal.errors, list: terminal.silence)
    keys = KeyReader(terminal.keyboard, keyMap, buffer)
    gate = KeyGate(buffer, keyMap, keys, menu, recall, changes)
    edit_set_owner(editLine, Unmanaged.passUnretained(self).toOpaque())
    edit_set_getc(editLine) { EditCore.of($0).nextCharacter($1!) }
    // libedit's own handlers allocate and signal the whole process group.
    edit_set_signal(editLine, 0)
    keyMap.configure(options.keys)
  }

  /// The core that a callback of libedit belongs to.
  static func of(_ editLine: OpaquePointer?) -> EditCore {
    Unmanaged<EditCore>.fromOpaque(edit_owner(editLine)).takeUnretainedValue()
  }

  /// Gives the terminal back as it was.
  func close() {
    display.output.write(marks.atEnd())
    terminal.close()
  }

  // MARK: A question

  /// Asks, and waits for Enter.
  func ask(_ question: Question) -> Input {
    self.question = question
    begin()
    let mail = mailbox.take()
    if mail.isStopped { return .end }
    display.takeSize()
    // libedit would take the terminal only after the prompt is drawn, and keys in between would be echoed twice.
    mode.take()
    let mark = question.isField ? "" : marks.beforePrompt(title: question.title, status: question.lastStatus)
    let lead = lead
    if question.discardsTypeahead {
      keys.discardTypeahead()
      keys.beginLine(initial: question.initial, isField: question.isField)
    }
    display.output.write(lead + Display.printed(mail.notices) + mark + EditingMode.pasteOn)
    var count: Int32 = 0
    let answer = el_wgets(terminal.editLine, &count)
    display.output.write(display.shapeAtEnd() + EditingMode.pasteOff)
    TerminalRestoration.gaveBack()
    var text = answer.map { String(wide: $0, count: Int(count)) } ?? ""
    // "\r\n" is one Character.
    if text.unicodeScalars.last == "\n" { text.unicodeScalars.removeLast() }
    if outcome != nil { text = lastGood.text }
    formHeight = question.isInForm ? display.end(of: EditedLine(text: text), question).row + 1 : 0
    switch outcome {
    case .interrupted, .left: return .interrupted
    case .up, .down: return .line(text)
    case .end: return .end
    case .editor: return .editor(text)
    case nil:
      guard answer != nil, count > 0 else { return .end }
      if !question.isField { display.output.write(marks.beforeOutput) }
      let line = input(text)
      // A Ctrl-C that came behind Enter, before the terminal was given back, is still a key. It is made what it would
      // have been a moment later: a signal for what runs now, and the end of what was typed ahead of it.
      if !question.isField, keys.takeInterrupt() { kill(getpid(), SIGINT) }
      return line
    }
  }

  private func begin() {
    (outcome, lastGood) = (nil, EditedLine())
    menu.beginLine(isField: question.isField)
    recall.beginLine(question)
    changes.beginLine()
    gate.beginLine(question)
    keys.beginLine(initial: question.initial, isField: question.isField)
  }

  /// Asks for a field; unlike ``ask(_:)`` it tells how the field was left.
  func askField(_ question: Question) -> FieldAnswer {
    let input = ask(question)
    guard case .line(let text) = input else { return FieldAnswer(input) }
    switch outcome {
    case .up: return .up(text)
    case .down: return .down(text)
    case .interrupted, .end, .left, .editor, nil: return .text(text)
    }
  }

  /// Takes away the rows of the form that was asked last.
  func eraseForm() {
    display.output.write(overForm)
    formHeight = 0
  }

  /// What makes room for the question.
  private var lead: String {
    if question.replacesLast, formHeight > 0 { return overForm }
    // What was typed ahead the terminal has shown already, and it is drawn again: the first showing goes.
    if terminal.keyboard.hasWaiting { return "\r\u{1B}[K" }
    return question.isField ? "" : display.newRowMark
  }

  private var overForm: String {
    let rows = min(formHeight, display.size.rows - 1)
    return rows > 0 ? "\u{1B}[\(rows)A\r\u{1B}[J" : ""
  }

  private func input(_ text: String) -> Input {
    if keys.sawTooMuch { return .tooLong }
    if keys.sawBadBytes, text.unicodeScalars.contains("\u{FFFD}") { return .notText }
    return text.utf8.count > LineLimit.bytes ? .tooLong : .line(text)
  }

  // MARK: Keys

  /// What libedit calls for each character: 1 with one in `character`, 0 at the end.
  private func nextCharacter(_ character: UnsafeMutablePointer<wchar_t>) -> Int32 {
    if let next = keys.nextOfKey() {
      character.pointee = next
      return 1
    }
    buffer.keepCursorInLine()
    if terminal.silence.takeBell() { display.output.write("\u{7}") }
    guardField()
    while true {
      guard let item = nextItem() else { return 0 }
      guard let item = gate.pass(item) else { continue }
      let isCommand = buffer.isInViCommands
      gate.beginKey(item, isCommand: isCommand)
      changes.beginKey(item, isCommand: isCommand)
      self.item = item
      character.pointee = keys.begin(item)
      return 1
    }
  }

  /// A field that refuses what the last key led to goes back to what it was.
  private func guardField() {
    guard question.isField else { return }
    let now = buffer.line
    if question.refuses(now.text), !question.refuses(lastGood.text) {
      keys.prepend(.action(.revert))
    } else {
      lastGood = now
    }
  }

  /// Waits for what comes next; nil at the end of the line or of the input.
  private func nextItem() -> InputQueue.Item? {
    while true {
      if let item = keys.next() { return item }
      // Keys that wait already change it once more.
      if !terminal.keyboard.hasKeys { draw() }
      recall.read()
      var waits = [
        pollfd(fd: terminal.keyboard.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: mailbox.bell, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&waits, 2, keys.waitLimit)
      if ready < 0, errno != EINTR { return end() }
      display.takeSize()
      if ready == 0 { keys.settle(joins: !recall.isSearching) }
      if ready > 0, waits[1].revents != 0, !readMail() { return nil }
      if ready > 0, waits[0].revents != 0, !keys.read(joins: !recall.isSearching) { return end() }
    }
  }

  private func draw() {
    let line = buffer.line
    let open = menu.open
    // Without colours nothing tells what is typed from what is only offered.
    let isSeen = display.hasColors && open == nil && !recall.isSearching
    display.draw(
      Display.Scene(
        question: question, line: line, search: recall.searchRows(in: display.size, hasColors: display.hasColors),
        menu: open,
        offer: suggestion.follow(line, in: question, isSeen: isSeen),
        isInViCommands: buffer.mode == .vi ? buffer.isInViCommands : nil))
  }

  private func end() -> InputQueue.Item? {
    // What libedit still draws goes nowhere.
    LostTerminal.letGo([display.output.descriptor, terminal.keyboard.descriptor])
    outcome = outcome ?? .end
    return nil
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
    if mail.isContinued, !terminal.keyboard.isRaw {
      mode.giveBack()
      mode.take()
      menu.drop()
      // The shell that let the program go on has written meanwhile: the prompt starts on a line of its own.
      display.reset()
      display.output.write(EditingMode.pasteOn + "\r\n" + Display.printed(mail.notices))
    } else if !mail.notices.isEmpty {
      display.print(above: mail.notices)
    }
    return true
  }

  // MARK: Commands that end the line or the turn

  /// Ends the line without it.
  func finish(_ outcome: Outcome) -> UInt8 {
    self.outcome = outcome
    lastGood = buffer.line
    display.leave(question, lastGood.text, mark: outcome == .interrupted && !question.isInForm ? "^C" : "")
    return UInt8(CC_EOF)
  }

  /// Enter: the line stays on the screen as it runs.
  func submit() -> UInt8 {
    display.leave(question, buffer.line.text)
    buffer.moveToEnd()
    buffer.insert("\n")
    return UInt8(CC_NEWLINE)
  }

  func deleteOrEnd() -> UInt8 {
    let line = buffer.line
    if line.text.isEmpty { return finish(.end) }
    return changes.deleteBehind()
  }

  /// Breaks the row at the cursor; a field has one row only.
  func breakRow() -> UInt8 { question.isField ? UInt8(CC_REFRESH_BEEP) : changes.breakRow() }

  /// Ends the question so that the line can be changed in an editor; nothing of it stays on the screen.
  func editLine() -> UInt8 {
    guard question.canEdit else { return UInt8(CC_REFRESH_BEEP) }
    outcome = .editor
    lastGood = buffer.line
    menu.drop()
    display.erase()
    return UInt8(CC_EOF)
  }

  /// Prints above the prompt what the command at the cursor does.
  func explain() -> UInt8 {
    let line = buffer.line
    let text = question.explanation(line.text, line.cursor)
    guard !text.isEmpty else { return UInt8(CC_REFRESH_BEEP) }
    menu.drop()
    display.print(above: [text])
    return UInt8(CC_NORM)
  }

  /// Puts the prefix in front of the line, or takes it away; an empty line becomes the one before with it.
  func togglePrefix() -> UInt8 {
    guard !question.isField, !question.prefix.isEmpty else { return UInt8(CC_REFRESH_BEEP) }
    let prefix = question.prefix + " "
    if buffer.line.text.isEmpty {
      guard let last = recall.history.entries.last else { return UInt8(CC_REFRESH_BEEP) }
      buffer.put(last, cursor: last.unicodeScalars.count)
    }
    let line = buffer.line
    let length = prefix.unicodeScalars.count
    let has = line.text.hasPrefix(prefix)
    buffer.replace(0..<(has ? length : 0), with: has ? "" : prefix)
    buffer.moveCursor(by: max(0, line.cursor + (has ? -length : length)) - buffer.line.cursor)
    return UInt8(CC_REFRESH)
  }

  /// vi's `#`: the line is kept as a remark.
  func commentOut() -> UInt8 {
    buffer.put("#" + buffer.line.text, cursor: 0)
    return submit()
  }

  /// The terminal is given back before the program stops, and taken again when it goes on: with the line alone, for
  /// a list of choices belongs to the moment it was asked for.
  func suspend() -> UInt8 {
    menu.drop()
    display.leave(question, buffer.line.text)
    display.output.write(EditingMode.pasteOff)
    mode.giveBack()
    // Raised on this thread, so that nothing below runs before the program goes on.
    raise(SIGTSTP)
    mode.take()
    display.output.write(EditingMode.pasteOn + "\r")
    display.takeSize()
    return UInt8(CC_NORM)
  }

  func revert() -> UInt8 {
    buffer.put(lastGood.text, cursor: lastGood.cursor)
    return UInt8(CC_REFRESH_BEEP)
  }

  // MARK: Commands of the menu

  func complete(_ steps: Int) -> UInt8 { menu.complete(steps, by: question.completer) }

  /// Up and Down among choices.
  func moveChoice(by rows: Int) -> UInt8 {
    guard let open = menu.open else { return UInt8(CC_NORM) }
    return menu.choose(open.step(by: rows * page(of: open).perLine))
  }

  func turnPage(by pages: Int) -> UInt8 {
    guard let open = menu.open else { return UInt8(CC_NORM) }
    return menu.choose(open.turn(by: pages, of: page(of: open).size))
  }

  private func page(of menu: Menu) -> MenuPage {
    display.page(of: menu, below: display.end(of: buffer.line, question).row)
  }

  // MARK: Commands that put text in

  /// Puts in the text that the code stands for.
  func insertText(of code: wint_t) -> UInt8 {
    guard let text = keys.text(of: wchar_t(bitPattern: code)) else { return UInt8(CC_REFRESH_BEEP) }
    if text.joins { buffer.deleteBefore(1) }
    buffer.insert(text.text)
    return UInt8(CC_REFRESH)
  }

  /// Puts the next key in as it is; a paste whole. libedit's own command would read a code of ours in place of a text.
  func quote() -> UInt8 {
    guard let item = nextItem() else { return UInt8(CC_EOF) }
    switch item {
    case .text(let text): buffer.insert(text.text)
    // Ctrl-C cancels the line, always.
    case .key([3]): keys.prepend(item)
    case .key(let characters):
      guard characters.count == 1, let scalar = Unicode.Scalar(UInt32(bitPattern: characters[0])) else {
        return UInt8(CC_REFRESH_BEEP)
      }
      buffer.insert(String(scalar))
    case .action: return UInt8(CC_REFRESH_BEEP)
    }
    return UInt8(CC_REFRESH)
  }

  /// vi's `f F t T r`: the count and an operator before it stay in force.
  func readCharacter(for action: InputQueue.Action) -> UInt8 {
    guard let item = nextItem() else { return UInt8(CC_EOF) }
    let character: wchar_t?
    switch item {
    case .text(let text): character = text.text.unicodeScalars.first.map { wchar_t(bitPattern: $0.value) }
    case .key(let characters):
      if characters == [3] { keys.prepend(item) }
      character = characters.count == 1 && characters[0] >= 0x20 && characters[0] != 0x7F ? characters[0] : nil
    case .action: character = nil
    }
    let line = buffer.line
    guard let character, action != .replaceCharacter || line.cursor < line.count else { return UInt8(CC_REFRESH_BEEP) }
    keys.give(action, character)
    return UInt8(CC_ARGHACK)
  }

  // MARK: Commands that draw

  func clearScreen() -> UInt8 {
    // vi's `.` does again what was typed, and the screen is no part of that.
    if item != .key([0x2E]) { display.clear() }
    return UInt8(CC_NORM)
  }

  /// The line drawn anew, whatever was printed over it.
  func redisplay() -> UInt8 {
    display.erase()
    return UInt8(CC_NORM)
  }
}
