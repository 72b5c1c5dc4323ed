import CEditLine
import Dispatch
import Glibc

/// The editor: its parts, and the path of a line through them.
///
/// Used only on the editor's thread. libedit calls ``nextCharacter(_:)`` for every character. It draws nothing: its
/// output goes to a stream in memory, of which only the bell is passed on.
final class EditorSession {
  /// The ways a line ends without Enter.
  enum Outcome {
    case interrupted, end
    /// A field of a form was left for the one above or below.
    case up, down
    /// The user pressed Esc.
    case escaped
    /// The line is to be changed in an external editor.
    case editor
  }

  let changes: EditCommands
  let recall: HistoryCommands
  let menu: CompletionController
  let suggestion: Autosuggestion
  let display: Display
  let keyMap: KeyMap
  private let buffer: LineBuffer
  private let keys: KeyReader
  private let keyRouter: KeyRouter
  private let mode: RawMode
  private let terminal: LibeditTerminal
  private let mailbox: EditorInbox
  private var marks: ShellIntegrationSequences
  private var keyboardModes: KeyboardModes
  private var question = PromptRequest(prompt: StyledPrompt(""))
  private var outcome: Outcome?
  /// The item that libedit received last.
  private var currentItem: InputQueue.Item?
  /// The line before the last key.
  ///
  /// A field reverts to it if it rejects the result of the key.
  private var lastValidLine = EditedLine()
  /// The number of rows of the last form down to the cursor; 0 if there is none.
  private var formHeight = 0

  /// Creates an editor, or returns `nil` if the descriptors cannot be used or the terminal cannot move its cursor.
  init?(_ options: EditorOptions, mailbox: EditorInbox) {
    guard let terminal = LibeditTerminal(options.programName, from: options.input, to: options.output) else {
      return nil
    }
    let editLine = terminal.editLine
    (self.terminal, self.mailbox) = (terminal, mailbox)
    marks = ShellIntegrationSequences(options.colors ? options.features : .none)
    keyboardModes = KeyboardModes(options.features)
    buffer = LineBuffer(editLine)
    mode = RawMode(editLine, terminal.input)
    display = Display(terminal.output, hasColors: options.colors)
    changes = EditCommands(buffer)
    menu = CompletionController(buffer)
    recall = HistoryCommands(buffer, changes: changes, history: History(path: options.historyFile))
    suggestion = Autosuggestion(buffer, changes: changes, recall: recall, isOn: options.suggestions)
    keyMap = KeyMap(editLine, errors: terminal.errorOutput, list: terminal.discardedOutput)
    keys = KeyReader(terminal.input, keyMap: keyMap, buffer: buffer)
    keyRouter = KeyRouter(buffer, keyMap: keyMap, keys: keys, menu: menu, recall: recall, changes: changes)
    edit_set_owner(editLine, Unmanaged.passUnretained(self).toOpaque())
    edit_set_getc(editLine) { EditorSession.of($0).nextCharacter($1!) }
    // libedit's own handlers allocate memory and signal the process group.
    edit_set_signal(editLine, 0)
    keyMap.configure(options.keys)
  }

  /// Returns the core that a callback of libedit belongs to.
  static func of(_ editLine: OpaquePointer?) -> EditorSession {
    Unmanaged<EditorSession>.fromOpaque(edit_owner(editLine)).takeUnretainedValue()
  }

  /// Restores the terminal and closes it.
  func close() {
    display.output.write(marks.atEnd() + keyboardModes.restored(display.output.descriptor))
    terminal.close()
  }

  // MARK: A question

  /// Shows a prompt and waits for Enter.
  func ask(_ question: PromptRequest) -> Input {
    self.question = question
    begin()
    let mail = mailbox.take()
    if mail.isStopped { return .endOfFile }
    display.updateSize()
    // libedit would set the terminal modes only after the prompt is drawn, and keys typed before would be echoed twice.
    mode.enter()
    question.willRead()
    let mark = question.isField ? "" : marks.beforePrompt(title: question.title, status: question.previousExitStatus)
    let lead = promptPrefix
    if question.discardsTypeahead {
      keys.discardTypeahead()
      keys.beginLine(initial: question.initial, isField: question.isField)
    }
    display.output.write(
      keyboardModes.off(display.output.descriptor) + lead + Display.printed(mail.notices) + mark + RawMode.pasteOn)
    var count: Int32 = 0
    let line = el_wgets(terminal.editLine, &count)
    display.output.write(
      display.shapeAtEnd() + RawMode.pasteOff + keyboardModes.offAfterPrompt(keys.sawOtherForms))
    TerminalRestoration.markRestored()
    var text = line.map { String(wide: $0, count: Int(count)) } ?? ""
    // "\r\n" is one `Character`, so the scalars are compared.
    if text.unicodeScalars.last == "\n" { text.unicodeScalars.removeLast() }
    if outcome != nil { text = lastValidLine.text }
    formHeight = question.isFormField ? display.end(of: EditedLine(text: text), question).row + 1 : 0
    switch outcome {
    case .interrupted, .escaped: return .interrupted
    case .up, .down: return .line(text)
    case .end: return .endOfFile
    case .editor: return .editor(text)
    case nil:
      guard line != nil, count > 0 else { return .endOfFile }
      if !question.isField { display.output.write(marks.beforeOutput) }
      let line = input(text)
      // A Ctrl-C that was typed after Enter, but before the modes were restored, arrived as a key. It is turned into
      // the signal it would have been a moment later, for the command that runs now, and discards the input typed
      // before it.
      if !question.isField, keys.takeInterrupt() { kill(getpid(), SIGINT) }
      return line
    }
  }

  private func begin() {
    (outcome, lastValidLine) = (nil, EditedLine())
    menu.beginLine(isField: question.isField)
    recall.beginLine(question)
    changes.beginLine()
    keyRouter.beginLine(question)
    let next = question.isField ? nil : recall.takeNextLine()
    keys.beginLine(initial: question.initial.isEmpty ? next ?? "" : question.initial, isField: question.isField)
  }

  /// Shows a prompt for a field.
  ///
  /// Unlike ``ask(_:)``, the result says how the field was left.
  func askField(_ question: PromptRequest) -> FieldAnswer {
    let input = ask(question)
    guard case .line(let text) = input else { return FieldAnswer(input) }
    switch outcome {
    case .up: return .up(text)
    case .down: return .down(text)
    case .interrupted, .end, .escaped, .editor, nil: return .text(text)
    }
  }

  /// Erases the rows of the last form.
  func eraseForm() {
    display.output.write(eraseFormSequence)
    formHeight = 0
  }

  /// The bytes written before the prompt.
  private var promptPrefix: String {
    if question.overwritesPrevious, formHeight > 0 { return eraseFormSequence }
    // The terminal has already echoed input that was typed ahead, and it will be drawn again: the echo is erased.
    if terminal.input.hasWaiting { return "\r\u{1B}[K" }
    return question.isField ? "" : display.newRowMark
  }

  private var eraseFormSequence: String {
    let rows = min(formHeight, display.size.rows - 1)
    return rows > 0 ? "\u{1B}[\(rows)A\r\u{1B}[J" : ""
  }

  private func input(_ text: String) -> Input {
    if keys.exceededLimit { return .tooLong }
    if keys.sawInvalidUTF8, text.unicodeScalars.contains("\u{FFFD}") { return .invalidUTF8 }
    return text.utf8.count > LineLimit.bytes ? .tooLong : .line(text)
  }

  // MARK: Keys

  /// Called by libedit for each character.
  ///
  /// Returns 1 with a character, or 0 at the end.
  private func nextCharacter(_ character: UnsafeMutablePointer<wchar_t>) -> Int32 {
    if let next = keys.nextOfKey() {
      character.pointee = next
      return 1
    }
    buffer.clampCursor()
    if terminal.discardedOutput.takeBell() { display.output.write("\u{7}") }
    guardField()
    while true {
      guard let item = nextInput() else { return 0 }
      guard let item = keyRouter.route(item) else { continue }
      let isCommand = buffer.isViCommandMode
      keyRouter.beginKey(item, isCommand: isCommand)
      changes.beginKey(item, isCommand: isCommand)
      self.currentItem = item
      character.pointee = keys.begin(item)
      return 1
    }
  }

  /// Reverts a field if it rejects the result of the last key.
  private func guardField() {
    guard question.isField else { return }
    let now = buffer.line
    if question.refuses(now.text), !question.refuses(lastValidLine.text) {
      keys.prepend(.action(.revert))
    } else {
      lastValidLine = now
    }
  }

  /// Waits for the next item; returns `nil` at the end of the line or of the input.
  private func nextInput() -> InputQueue.Item? {
    while true {
      if let item = keys.next() { return item }
      // The screen is drawn only when no further keys are waiting.
      if !terminal.input.hasKeys { draw() }
      recall.read()
      var waits = [
        pollfd(fd: terminal.input.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: mailbox.readEnd, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&waits, 2, keys.waitLimit)
      if ready < 0, errno != EINTR { return end() }
      let events = ready > 0 && waits[1].revents != 0 ? mailbox.take() : nil
      // The size is read after the events are taken: a resize in between leaves its event, which ends the next wait.
      display.updateSize()
      if ready == 0 { keys.endSequence(joins: !recall.isSearching) }
      if let events, !process(events) { return nil }
      if ready > 0, waits[0].revents != 0, !keys.read(joins: !recall.isSearching) { return end() }
    }
  }

  private func draw() {
    let line = buffer.line
    let open = menu.open
    // Without colors a suggestion could not be distinguished from typed text.
    let isSeen = display.hasColors && open == nil && !recall.isSearching
    display.draw(
      Display.ScreenState(
        question: question, line: line, search: recall.searchRows(in: display.size, hasColors: display.hasColors),
        menu: open,
        suggestion: suggestion.update(line, in: question, isSeen: isSeen),
        isInViCommands: buffer.mode == .vi ? buffer.isViCommandMode : nil))
  }

  private func end() -> InputQueue.Item? {
    // The remaining output of libedit is discarded.
    TerminalHangup.redirectToDevNull([display.output.descriptor, terminal.input.descriptor])
    outcome = outcome ?? .end
    return nil
  }

  /// Handles events from other threads.
  ///
  /// Returns false if the line has ended.
  private func process(_ events: EditorInbox.EditorEvents) -> Bool {
    if events.isStopped || events.isCancelled {
      _ = endLine(events.isStopped ? .end : .interrupted)
      return false
    }
    // Only the modes of the terminal decide: after Ctrl-Z they were set again before this event arrived, and likewise
    // after a stopped command, when the prompt was shown later.
    if events.isContinued, !terminal.input.isRaw {
      mode.leave()
      mode.enter()
      menu.drop()
      // The shell that continued the program has written in the meantime: the prompt starts on a new row.
      display.reset()
      display.output.write(RawMode.pasteOn + "\r\n" + Display.printed(events.notices))
    } else if !events.notices.isEmpty {
      display.printAbove(above: events.notices)
    }
    return true
  }

  // MARK: Commands that end the line or the turn

  /// Ends the line without submitting it.
  func endLine(_ outcome: Outcome) -> UInt8 {
    self.outcome = outcome
    lastValidLine = buffer.line
    display.finishLine(question, lastValidLine.text, mark: outcome == .interrupted && !question.isFormField ? "^C" : "")
    return UInt8(CC_EOF)
  }

  /// Submits the line, which stays on the screen.
  func acceptLine() -> UInt8 {
    display.finishLine(question, buffer.line.text)
    buffer.moveToEnd()
    buffer.insert("\n")
    return UInt8(CC_NEWLINE)
  }

  /// Submits the line, and begins the next prompt with the line that follows it in the history, as readline's
  /// `operate-and-get-next` does.
  func acceptLineAndRecallNext() -> UInt8 {
    guard !question.isField else { return UInt8(CC_REFRESH_BEEP) }
    if question.isUnfinished(buffer.line.text) { return changes.continueLine() }
    menu.drop()
    recall.markNextLine()
    return acceptLine()
  }

  func deleteOrEnd() -> UInt8 {
    let line = buffer.line
    if line.text.isEmpty { return endLine(.end) }
    return changes.deleteNextCharacter()
  }

  /// Breaks the row at the cursor; a field has only one row.
  func breakRow() -> UInt8 { question.isField ? UInt8(CC_REFRESH_BEEP) : changes.breakRow() }

  /// Ends the prompt so that the line can be changed in an external editor, and erases it from the screen.
  func editLine() -> UInt8 {
    guard question.canEdit else { return UInt8(CC_REFRESH_BEEP) }
    outcome = .editor
    lastValidLine = buffer.line
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
    display.printAbove(above: [text])
    return UInt8(CC_NORM)
  }

  /// Adds the prefix to the line or removes it; on an empty line, recalls the last line with the prefix.
  func togglePrefix() -> UInt8 {
    guard !question.isField, !question.prefix.isEmpty else { return UInt8(CC_REFRESH_BEEP) }
    let prefix = question.prefix + " "
    if buffer.line.text.isEmpty {
      guard let last = recall.history.entries.last else { return UInt8(CC_REFRESH_BEEP) }
      buffer.setLine(last, cursor: last.unicodeScalars.count)
    }
    let line = buffer.line
    let length = prefix.unicodeScalars.count
    let has = line.text.hasPrefix(prefix)
    buffer.replace(0..<(has ? length : 0), with: has ? "" : prefix)
    buffer.moveCursor(by: max(0, line.cursor + (has ? -length : length)) - buffer.line.cursor)
    return UInt8(CC_REFRESH)
  }

  /// Submits the line as a comment (vi's `#`).
  func commentOut() -> UInt8 {
    buffer.setLine("#" + buffer.line.text, cursor: 0)
    return acceptLine()
  }

  /// Restores the terminal, stops the program, and takes the terminal again when it continues.
  ///
  /// Only the line is shown then, because the choices of a menu may have changed.
  func suspend() -> UInt8 {
    menu.drop()
    display.finishLine(question, buffer.line.text)
    display.output.write(RawMode.pasteOff + keyboardModes.restored(display.output.descriptor))
    mode.leave()
    // Raised on this thread, so that the code below runs only after the program continues.
    raise(SIGTSTP)
    mode.enter()
    display.output.write(keyboardModes.off(display.output.descriptor) + RawMode.pasteOn + "\r")
    display.updateSize()
    return UInt8(CC_NORM)
  }

  func revert() -> UInt8 {
    buffer.setLine(lastValidLine.text, cursor: lastValidLine.cursor)
    return UInt8(CC_REFRESH_BEEP)
  }

  // MARK: Commands of the menu

  func complete(_ steps: Int) -> UInt8 { menu.complete(steps, by: question.completer) }

  /// Moves to the choice above or below.
  func moveChoice(by rows: Int) -> UInt8 {
    guard let open = menu.open else { return UInt8(CC_NORM) }
    return menu.choose(open.step(by: rows * page(of: open).perLine))
  }

  func movePage(by pages: Int) -> UInt8 {
    guard let open = menu.open else { return UInt8(CC_NORM) }
    return menu.choose(open.indexOfPage(by: pages, of: page(of: open).size))
  }

  private func page(of menu: CompletionMenu) -> CompletionMenuPage {
    display.menuPage(of: menu, below: display.end(of: buffer.line, question).row)
  }

  // MARK: Commands that put text in

  /// Inserts the text of a placeholder character.
  func insertText(of code: wint_t) -> UInt8 {
    guard let text = keys.text(of: wchar_t(bitPattern: code)) else { return UInt8(CC_REFRESH_BEEP) }
    if text.replacesPrevious { buffer.deleteBefore(1) }
    buffer.insert(text.text)
    return UInt8(CC_REFRESH)
  }

  /// Inserts the next key literally, or all of a paste.
  ///
  /// libedit's own command would insert a placeholder character instead of a text.
  func quote() -> UInt8 {
    guard let item = nextInput() else { return UInt8(CC_EOF) }
    switch item {
    case .text(let text): buffer.insert(text.text)
    // Ctrl-C always cancels the line.
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

  /// Reads the character for vi's `f F t T r`; the count and operator before it remain in effect.
  func readCharacter(for action: InputQueue.Action) -> UInt8 {
    guard let item = nextInput() else { return UInt8(CC_EOF) }
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
    // vi's `.` repeats the last change; clearing the screen is not part of it.
    if currentItem != .key([0x2E]) { display.clear() }
    return UInt8(CC_NORM)
  }

  /// Draws the line again, erasing anything that was printed over it.
  func redisplay() -> UInt8 {
    display.erase()
    return UInt8(CC_NORM)
  }
}

/// A prompt for one line: how it is shown, completed and checked.
struct PromptRequest {
  var prompt: StyledPrompt
  /// The text shown dimmed at the right edge if it fits.
  var rightPrompt = ""
  /// The window title; "" leaves it unchanged.
  var title = ""
  /// The exit status of the previous line, or `nil`.
  var previousExitStatus: Int32?
  /// The initial text of the line.
  var initial = ""
  /// Called before the first key is read.
  var willRead: @Sendable () -> Void = {}
  /// Indicates a form field: no history, no newlines.
  var isField = false
  /// Indicates one of several fields, which Up and Down leave.
  var isFormField = false
  /// Indicates whether the field replaces the last one of the form on the screen.
  var overwritesPrevious = false
  /// Indicates whether keys typed before the prompt was on the screen are discarded.
  var discardsTypeahead = false
  /// Returns the rows above and below the prompt for a number of columns.
  var rows: @Sendable (Int) -> (above: [String], below: [String]) = { _ in ([], []) }
  /// The rule for the text, shown dimmed after it.
  var rule = ""
  var completer: @Sendable (String, Int) -> CompletionResult = { _, _ in .none }
  var painter: (@Sendable (String) -> [HighlightedRange])?
  var isUnfinished: @Sendable (String) -> Bool = { _ in false }
  /// Returns the syntax of the missing arguments, shown dimmed after the text, or "".
  var hint: @Sendable (String) -> String = { _ in "" }
  /// Returns true if a line of the history may be suggested, and run as found.
  var maySuggest: @Sendable (String) -> Bool = { _ in true }
  /// Returns the replacement for a part of the text when Space is typed at its end, or `nil`.
  var expansion: @Sendable (String) -> (range: Range<Int>, text: String)? = { _ in nil }
  /// Returns the reason why Enter does not accept the text yet, or `nil`.
  var accepts: @Sendable (String) -> String? = { _ in nil }
  /// Returns an explanation of the command at the cursor, in rows, or "".
  var explanation: @Sendable (String, Int) -> String = { _, _ in "" }
  /// The word that ``EditorSession/togglePrefix()`` adds, or "".
  var prefix = ""
  /// Indicates whether the caller can open the line in an external editor.
  var canEdit = false
  /// The labels of a search, as in `LineEditorDelegate`.
  var searchNames = (back: "bck", forward: "fwd")
  /// Returns true for a text that no key may produce.
  var refuses: @Sendable (String) -> Bool = { _ in false }
  /// Returns the text shown dimmed after the text while typing.
  var counter: @Sendable (String) -> String = { _ in "" }
}
