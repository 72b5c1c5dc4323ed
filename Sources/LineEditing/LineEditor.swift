/// The prompt of an interactive session: emacs or vi keys, history, completion, paste, colours.
///
/// It lives on a thread of its own, so `readLine` blocks nobody. Between two questions the terminal is as it was
/// found. On a terminal that cannot move its cursor the same functions ask without any escape code.
package actor LineEditor {
  package typealias Options = EditorOptions

  private nonisolated let thread = EditorThread()
  nonisolated let mailbox = Mailbox()
  var options: Options
  var core: EditCore?
  /// The history where there is no core to hold it.
  private var plainHistory: History
  let help: LineHelp
  private var isStarted = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  package init(_ options: Options, help: LineHelp = LineHelp()) {
    self.options = options
    self.help = help
    plainHistory = History(path: nil)
  }

  deinit {
    thread.finish()
  }

  /// Asks for a line.
  /// - Parameters:
  ///   - prompt: may hold colours (SGR) and newlines.
  ///   - right: shown dim at the right edge while there is room; "" for none.
  ///   - title: of the window, where it takes one; "" leaves it as it is.
  ///   - status: what the line before came to, for terminals that mark it; nil for none.
  ///   - initial: the text to start from.
  package func readLine(
    prompt: String, right: String = "", title: String = "", after status: Int32? = nil, initial: String = ""
  ) async -> Input {
    start()
    return await ask { editor in
      guard let core = editor.core else { return editor.askPlainly(prompt) }
      var question = editor.help.question(prompt)
      (question.right, question.title, question.lastStatus) = (right, title, status)
      question.initial = initial
      return core.ask(question)
    }
  }

  /// Asks without showing what is typed; the echo is back when it returns, however it returns.
  package func readSecret(prompt: String) async -> Input {
    start()
    return await ask { editor in
      SecretLine(input: editor.options.input, output: editor.options.output, mailbox: editor.mailbox)
        .ask(editor.core == nil ? StyledPrompt.withoutStyles(prompt) : prompt)
    }
  }

  /// Asks for one field, alone or in a form, checking while one types.
  package func readField(_ field: FieldQuestion) async -> FieldAnswer {
    start()
    return await ask(cancelled: .left) { editor in
      editor.core?.askField(field.question) ?? FieldAnswer(editor.askPlainField(field))
    }
  }

  /// Takes away the rows of the form whose last field was just asked.
  package func eraseForm() {
    core?.eraseForm()
  }

  /// Prints above the prompt, from any thread; where no prompt stands, before the next one.
  package nonisolated func notify(_ text: String) {
    mailbox.post { $0.notices.append(text) }
  }

  /// Call on SIGWINCH.
  package nonisolated func resized() {
    mailbox.post { $0.isResized = true }
  }

  /// Call on SIGCONT: after a stop that did not come from Ctrl-Z the terminal has to be taken again.
  package nonisolated func continued() {
    mailbox.post { $0.isContinued = true }
  }

  /// Call on SIGINT, which does not come from a key while a line is typed: the line is dropped.
  package nonisolated func interrupted() {
    mailbox.post { $0.isCancelled = true }
  }

  /// Keeps the line for recall and in the file. What may be kept is for the caller to know: never a secret.
  /// - Parameter time: when it is run, in milliseconds since 1970; nil where nobody says.
  package func remember(_ line: String, at time: Int64? = nil) {
    start()
    if let core { core.recall.add(line, at: time) } else { _ = plainHistory.add(line, at: time) }
  }

  /// Takes lines out of the history and its file; returns how many there were.
  package func forget(_ lines: Set<String>) -> Int {
    start()
    return core?.recall.remove(lines) ?? plainHistory.remove(lines)
  }

  /// Keeps what came of the line that was remembered last.
  /// - Parameter status: its exit status.
  package func conclude(_ status: Int32) {
    if let core { core.recall.conclude(status) } else { plainHistory.conclude(status) }
  }

  /// The lines that can be recalled, oldest first.
  package func history() -> [String] {
    start()
    core?.recall.read()
    plainHistory.read()
    return core?.recall.history.entries ?? plainHistory.entries
  }

  /// What went wrong with the history since it was last asked, and lines of `.editrc` that are not understood, as
  /// `path:line: reason`, told once.
  package func takeTroubles() -> (history: [HistoryTrouble], editrc: [String]) {
    start()
    return (core?.recall.takeTroubles() ?? plainHistory.takeTroubles(), core?.keyMap.takeTroubles() ?? [])
  }

  /// Ends the question that is open, and every one after it, with ``Input/end``.
  package nonisolated func leave() {
    mailbox.post { $0.isStopped = true }
  }

  /// Gives the terminal back; a question that is open ends with ``Input/end``.
  package nonisolated func stop() async {
    leave()
    await close()
  }

  private func close() {
    core?.close()
    core = nil
    isStarted = true
  }

  private func start() {
    if isStarted { return }
    isStarted = true
    core = EditCore(options, mailbox: mailbox)
    if core == nil { plainHistory = History(path: options.historyFile) }
  }

  private func ask(_ question: (isolated LineEditor) -> Input) async -> Input {
    await ask(cancelled: .interrupted, question)
  }

  /// Runs a question so that cancelling the task gives it up.
  private func ask<Answer: Sendable>(
    cancelled: Answer, _ question: (isolated LineEditor) -> Answer
  ) async -> Answer {
    if Task.isCancelled { return cancelled }
    return await withTaskCancellationHandler {
      question(self)
    } onCancel: {
      interrupted()
    }
  }
}

extension LineEditor {
  package func setKeys(_ keys: Keys) {
    options.keys = keys
    core?.keyMap.configure(keys)
  }

  package func setSuggestions(_ isOn: Bool) {
    options.suggestions = isOn
    core?.suggestion.isOn = isOn
  }

  package func setColors(_ isOn: Bool) {
    options.colors = isOn
    core?.display.hasColors = isOn
  }
}

/// Questions where there is no cursor to move: the terminal prints, and the kernel edits.
extension LineEditor {
  func askPlainly(_ prompt: String) -> Input {
    let lines = CookedLines(input: options.input, output: options.output, mailbox: mailbox)
    var text = ""
    var prompt = StyledPrompt.withoutStyles(prompt)
    while true {
      switch lines.ask(prompt) {
      case .line(let line):
        text += line
        if text.utf8.count > LineLimit.bytes { return .tooLong }
        if !help.isUnfinished(text) { return .line(text) }
        text += "\n"
        prompt = "> "
      case let other: return other
      }
    }
  }

  func askPlainField(_ field: FieldQuestion) -> Input {
    let lines = CookedLines(input: options.input, output: options.output, mailbox: mailbox)
    let rule = field.rule.isEmpty ? "" : "(\(field.rule)) "
    let shown = field.initial.isEmpty ? "" : "[\(field.initial)] "
    while true {
      let answer = lines.ask(
        StyledPrompt.withoutStyles(field.prompt) + rule + shown, discardsTypeahead: field.discardsTypeahead)
      guard case .line(let typed) = answer else { return answer }
      let text = typed.isEmpty ? field.initial : typed
      let hint = field.accepts(text)
      if hint == nil, !field.refuses(text) { return .line(text) }
      Descriptor.write((hint ?? "?") + "\n", to: options.output)
    }
  }
}

/// What the editor asks about a line while it is typed. Called on the editor's thread, so it must be quick and never wait.
package struct LineHelp: Sendable {
  /// Gets the line and how many Unicode scalars of it are before the cursor.
  package var completer: @Sendable (_ line: String, _ cursor: Int) -> Completion
  /// Colours for the line; none when nil.
  package var painter: (@Sendable (_ line: String) -> [PaintedRange])?
  /// Whether Enter goes on in a next line (an open quote, a backslash at the end).
  package var isUnfinished: @Sendable (_ line: String) -> Bool
  /// The shape of what is still missing behind the line; "" when nothing is.
  package var hint: @Sendable (_ line: String) -> String
  /// Whether a line of the history may be suggested, and run as it is found by a search.
  package var maySuggest: @Sendable (_ line: String) -> Bool
  /// What Space behind the line puts in place of some of its Unicode scalars; nil where the last word is no abbreviation.
  package var expansion: @Sendable (_ line: String) -> (range: Range<Int>, text: String)?
  /// What the command at the cursor does, for printing above the prompt; "" where there is nothing to say.
  package var explanation: @Sendable (_ line: String, _ cursor: Int) -> String
  /// The word that one key puts in front of the line or takes away; "" for none.
  package var prefix: String
  /// Whether the caller has the line changed in an editor when it gets ``Input/editor(_:)``.
  package var canEdit: Bool
  /// What stands before the pattern of a search of the history, backward and forward; the editor's own words.
  package var searchNames: @Sendable () -> (back: String, forward: String)

  package init(
    completer: @escaping @Sendable (String, Int) -> Completion = { _, _ in .none },
    painter: (@Sendable (String) -> [PaintedRange])? = nil,
    isUnfinished: @escaping @Sendable (String) -> Bool = { _ in false },
    hint: @escaping @Sendable (String) -> String = { _ in "" },
    maySuggest: @escaping @Sendable (String) -> Bool = { _ in true },
    expansion: @escaping @Sendable (String) -> (range: Range<Int>, text: String)? = { _ in nil },
    searchNames: @escaping @Sendable () -> (back: String, forward: String) = { ("bck", "fwd") },
    explanation: @escaping @Sendable (_ line: String, _ cursor: Int) -> String = { _, _ in "" },
    prefix: String = "", canEdit: Bool = false
  ) {
    self.completer = completer
    self.painter = painter
    self.isUnfinished = isUnfinished
    self.hint = hint
    self.maySuggest = maySuggest
    self.expansion = expansion
    self.searchNames = searchNames
    self.explanation = explanation
    self.prefix = prefix
    self.canEdit = canEdit
  }

  func question(_ prompt: String) -> Question {
    Question(
      prompt: StyledPrompt(prompt), completer: completer, painter: painter, isUnfinished: isUnfinished,
      hint: hint, maySuggest: maySuggest, expansion: expansion, explanation: explanation, prefix: prefix,
      canEdit: canEdit, searchNames: searchNames())
  }
}
