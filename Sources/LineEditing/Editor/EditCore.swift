import CEditLine
import Glibc

/// Everything that touches libedit's state; lives on the editor's thread only.
///
/// All keys come through ``nextCharacter(_:)``, which libedit calls for each.
final class EditCore {
  /// How a line ended without Enter.
  enum Outcome {
    case interrupted, end
    /// A field of a form was left for the one above or below.
    case up, down
    /// Esc.
    case left
  }

  let editLine: OpaquePointer
  let output: TerminalOutput
  /// What libedit would draw.
  let silence: TextStream
  let keyboard: TerminalStream
  let errors: TextStream
  let mailbox: Mailbox
  var options: EditorOptions
  var history: History
  var question = Question(prompt: StyledPrompt(""))
  var outcome: Outcome?
  var decoder = KeyDecoder()
  var input = InputQueue()
  /// Whether Esc was pressed alone and waits for the key that makes it Alt.
  var holdsEscape = false
  /// The escape sequences that some key binding knows; others are dropped, for libedit would type their tails.
  /// Asked of libedit when the first sequence comes; nil until then and after keys were bound anew.
  var boundSequences: Set<[UInt8]>?
  var sawBadBytes = false
  var sawTooMuch = false
  /// What the line was before the last key; a field goes back to it when it refuses what the key led to.
  var lastGood = EditedLine()
  var painter: FramePainter
  var offer = Offer()
  var counter = KeyCounter()
  var kills = KillRing()
  var changes = ChangeHistory()
  /// Whether vi's `.` would repeat just what was typed.
  var mayRepeat = true
  /// The beginnings of keys of several characters that a line of `.editrc` bound, but for those with Esc.
  var prefixes: Set<[wchar_t]> = []
  /// What libedit has got of such a key, and waits for the rest of.
  var begun: [wchar_t] = []
  var wordWalk: LastWordWalk?
  /// The sequence that gave the cursor its shape; "" while it has the person's own.
  var shownShape = ""
  var menu: Menu?
  var search: HistorySearch?
  /// What vi's `n` searches for.
  var lastSearch: (pattern: String, isForward: Bool)?
  var walk = HistoryWalk()
  /// The rows of the form that was asked last, down to the one the cursor went to; 0 when there is none.
  var formHeight = 0
  var size: WindowSize
  var editrcTroubles: [String] = []
  private let ring: OpaquePointer
  private let noHistory: OpaquePointer
  /// libedit's prompt, which is empty.
  private let promptBuffer: UnsafeMutablePointer<wchar_t>

  /// Nil when the descriptors cannot be used or the terminal cannot move its cursor.
  init?(_ options: EditorOptions, mailbox: Mailbox) {
    Locale.prepare()
    guard let keyboard = TerminalStream(options.input, mode: "r") else { return nil }
    guard let output = TerminalOutput(options.output), let errors = TextStream(), let silence = TextStream() else {
      keyboard.close()
      return nil
    }
    // It takes the terminal's modes where the descriptor is a terminal, and draws on the stream.
    guard
      let editLine = el_init_fd(
        options.programName, keyboard.file, silence.file, errors.file, keyboard.descriptor, output.descriptor,
        output.descriptor)
    else {
      keyboard.close()
      output.close()
      return nil
    }
    (self.editLine, self.keyboard, self.output, self.errors, self.silence) = (
      editLine, keyboard, output, errors, silence
    )
    (self.options, self.mailbox) = (options, mailbox)
    (ring, noHistory) = (history_winit(), history_winit())
    history = History(path: options.historyFile)
    size = output.size
    painter = FramePainter(columns: size.columns, height: size.rows)
    promptBuffer = .allocate(capacity: 1)
    promptBuffer.initialize(to: 0)
    edit_set_owner(editLine, Unmanaged.passUnretained(self).toOpaque())
    // Another name for the terminal is tried only when its own has no entry: setting it starts libedit's screen anew.
    let kind = TerminalKind(getenv("TERM").map { String(cString: $0) }) { edit_set_terminal(editLine, $0) == 0 }
    _ = errors.take()
    guard case .screen = kind else {
      close()
      return nil
    }
    connect()
  }

  /// The core that a callback of libedit belongs to.
  static func of(_ editLine: OpaquePointer?) -> EditCore {
    Unmanaged<EditCore>.fromOpaque(edit_owner(editLine)).takeUnretainedValue()
  }

  private func connect() {
    edit_set_prompt(editLine) { EditCore.of($0).promptBuffer }
    edit_set_getc(editLine) { EditCore.of($0).nextCharacter($1!) }
    // libedit's own handlers allocate and signal the whole process group.
    edit_set_signal(editLine, 0)
    edit_history_size(ring, Int32(History.limit))
    for entry in history.entries { _ = entry.withWide { edit_history_enter(ring, $0) } }
    edit_set_history(editLine, ring)
    addFunctions()
    configureKeys()
  }

  /// Gives the terminal back as it was.
  func close() {
    el_end(editLine)
    history_wend(ring)
    history_wend(noHistory)
    keyboard.close()
    output.close()
    promptBuffer.deallocate()
  }

  func remember(_ line: String) {
    guard history.add(line) else { return }
    _ = line.withWide { edit_history_enter(ring, $0) }
  }

  func show(_ question: Question) {
    self.question = question
    edit_set_history(editLine, question.isField ? noHistory : ring)
  }
}

extension EditCore {
  var line: EditedLine {
    guard let info = el_wline(editLine)?.pointee, let start = info.buffer else { return EditedLine() }
    return EditedLine(text: String(wide: start, count: info.lastchar - start), cursor: info.cursor - start)
  }

  func insert(_ text: String) {
    _ = text.withWide { el_winsertstr(editLine, $0) }
  }

  /// Puts another line in place of this one.
  func put(_ text: String, cursor: Int) {
    replace(0..<line.count, with: text)
    el_cursor(editLine, Int32(cursor - line.cursor))
  }

  /// Puts `text` in place of some scalars of the line and the cursor behind it.
  func replace(_ range: Range<Int>, with text: String) {
    let line = line
    let end = min(range.upperBound, line.count)
    let start = min(range.lowerBound, end)
    el_cursor(editLine, Int32(end - line.cursor))
    if end > start { el_deletestr(editLine, Int32(end - start)) }
    if !text.isEmpty { insert(text) }
  }
}
