import Text

/// The line editor of an interactive session: emacs or vi keys, history, completion, paste, colors.
///
/// It runs on its own thread, so that `readLine` blocks no other work. Between two prompts the terminal has its
/// original modes. On a terminal that cannot move its cursor, the same functions prompt without escape codes.
package actor LineEditor {
  package typealias Options = EditorOptions

  private nonisolated let thread = ThreadExecutor()
  nonisolated let mailbox = EditorInbox()
  var options: Options
  var core: EditorSession?
  /// The history if there is no core.
  private var plainHistory: History
  let help: LineEditorDelegate
  private var isStarted = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  package init(_ options: Options, help: LineEditorDelegate = LineEditorDelegate()) {
    self.options = options
    self.help = help
    plainHistory = History(path: nil)
  }

  deinit {
    thread.finish()
  }

  /// Prompts for a line.
  ///
  /// - Parameters:
  ///   - prompt: The prompt; it may contain styles (SGR) and newlines.
  ///   - right: Text shown dimmed at the right edge if it fits; "" for none.
  ///   - title: The window title, if the terminal supports one; "" leaves it unchanged.
  ///   - status: The exit status of the previous line, for terminals that mark it, or `nil`.
  ///   - initial: The initial text.
  ///   - willRead: Called after the modes of the terminal are set and before a key is read; at a prompt without cursor
  ///     movement, for each physical line. From then on, Ctrl-C is a key.
  /// - Returns: The line, or the way the prompt ended without one.
  package func readLine(
    prompt: String, right: String = "", title: String = "", after status: Int32? = nil, initial: String = "",
    willRead: @escaping @Sendable () -> Void = {}
  ) async -> Input {
    start()
    return await ask { editor in
      guard let core = editor.core else { return editor.askPlainly(prompt, willRead: willRead) }
      var question = editor.help.question(prompt)
      (question.rightPrompt, question.title, question.previousExitStatus) = (right, title, status)
      (question.initial, question.willRead) = (initial, willRead)
      return core.ask(question)
    }
  }

  /// Prompts for a line without echo.
  ///
  /// The echo is restored when the function returns, in every case.
  package func readSecret(prompt: String) async -> Input {
    start()
    return await ask { editor in
      PasswordReader(input: editor.options.input, output: editor.options.output, mailbox: editor.mailbox)
        .readPassword(editor.core == nil ? StyledPrompt.withoutStyles(prompt) : prompt)
    }
  }

  /// Prompts for one field, alone or in a form, checking the text while it is typed.
  package func readField(_ field: FormField) async -> FieldAnswer {
    start()
    return await ask(cancelled: .cancelled) { editor in
      editor.core?.askField(field.question) ?? FieldAnswer(editor.askPlainField(field))
    }
  }

  /// Erases the rows of the form whose last field was just shown.
  package func eraseForm() {
    core?.eraseForm()
  }

  /// Prints above the prompt, from any thread; without a prompt, before the next one.
  package nonisolated func printAbovePrompt(_ text: String) {
    mailbox.post { $0.notices.append(text) }
  }

  /// Informs the editor of SIGWINCH: every event makes it read the size of the window.
  package nonisolated func handleSIGWINCH() {
    mailbox.post { _ in }
  }

  /// Informs the editor of SIGCONT: after a stop that was not caused by Ctrl-Z, the terminal modes must be set again.
  package nonisolated func handleSIGCONT() {
    mailbox.post { $0.isContinued = true }
  }

  /// Informs the editor of a SIGINT, which is not sent by a key while a line is typed: the line is cancelled.
  package nonisolated func handleSIGINT() {
    mailbox.post { $0.isCancelled = true }
  }

  /// Adds a line to the history and its file.
  ///
  /// The caller must not pass a line with a secret. `time` is when it is run, in milliseconds since 1970, or `nil` if
  /// unknown.
  package func remember(_ line: String, at time: Int64? = nil) {
    start()
    if let core { core.recall.add(line, at: time) } else { _ = plainHistory.add(line, at: time) }
  }

  /// Removes lines from the history and its file; returns how many there were.
  package func forget(_ lines: Set<String>) -> Int {
    start()
    return core?.recall.remove(lines) ?? plainHistory.remove(lines)
  }

  /// Records the exit status of the line that was added last.
  package func recordExitStatus(_ status: Int32) {
    if let core { core.recall.conclude(status) } else { plainHistory.recordExitStatus(status) }
  }

  /// Returns the lines that can be recalled, oldest first.
  package func history() -> [String] {
    start()
    core?.recall.read()
    plainHistory.read()
    return core?.recall.history.entries ?? plainHistory.entries
  }

  /// Returns, once, the problems with the history since the last call, and the lines of `.editrc` that were not
  /// understood, as `path:line: reason`.
  package func drainErrors() -> (history: [HistoryError], editrc: [String]) {
    start()
    return (core?.recall.takeErrors() ?? plainHistory.takeErrors(), core?.keyMap.takeDiagnostics() ?? [])
  }

  /// Ends the current prompt, and every later one, with ``Input/end``.
  package nonisolated func leave() {
    mailbox.post { $0.isStopped = true }
  }

  /// Restores the terminal.
  ///
  /// A current prompt ends with ``Input/end``.
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
    core = EditorSession(options, mailbox: mailbox)
    if core == nil { plainHistory = History(path: options.historyFile) }
  }

  private func ask(_ question: (isolated LineEditor) -> Input) async -> Input {
    await ask(cancelled: .interrupted, question)
  }

  /// Shows a prompt that is given up when the task is cancelled.
  private func ask<Answer: Sendable>(
    cancelled: Answer, _ question: (isolated LineEditor) -> Answer
  ) async -> Answer {
    if Task.isCancelled { return cancelled }
    return await withTaskCancellationHandler {
      question(self)
    } onCancel: {
      handleSIGINT()
    }
  }
}

extension LineEditor {
  package func setKeys(_ keys: EditingStyle) {
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

/// Prompts without cursor movement: the terminal only prints, and the kernel edits the line.
extension LineEditor {
  func askPlainly(_ prompt: String, willRead: () -> Void = {}) -> Input {
    let lines = CanonicalModeReader(input: options.input, output: options.output, mailbox: mailbox)
    var text = ""
    var prompt = StyledPrompt.withoutStyles(prompt)
    while true {
      switch lines.readLine(prompt, willRead: willRead) {
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

  func askPlainField(_ field: FormField) -> Input {
    let lines = CanonicalModeReader(input: options.input, output: options.output, mailbox: mailbox)
    let rule = field.placeholder.isEmpty ? "" : "(\(field.placeholder)) "
    let shown = field.initial.isEmpty ? "" : "[\(field.initial)] "
    while true {
      let input = lines.readLine(
        StyledPrompt.withoutStyles(field.prompt) + rule + shown, discardsTypeahead: field.discardsTypeahead)
      guard case .line(let typed) = input else { return input }
      let text = typed.isEmpty ? field.initial : typed
      let hint = field.validationError(text)
      if hint == nil, !field.isForbidden(text) { return .line(text) }
      Descriptor.writeAll((hint ?? "?") + "\n", to: options.output)
    }
  }
}

/// The functions by which the editor asks about a line while it is typed.
///
/// They are called on the editor's thread, so they must be fast and must not wait.
package struct LineEditorDelegate: Sendable {
  /// Returns the completions for a line and a cursor as an offset in Unicode scalars.
  package var completer: @Sendable (_ line: String, _ cursor: Int) -> CompletionResult
  /// Returns the styles for the line; `nil` for none.
  package var highlighter: (@Sendable (_ line: String) -> [HighlightedRange])?
  /// Returns true if Enter continues on a new line (an open quote, a backslash at the end).
  package var isUnfinished: @Sendable (_ line: String) -> Bool
  /// Returns the syntax of the missing arguments after the line, or "".
  package var hint: @Sendable (_ line: String) -> String
  /// Returns true if a line of the history may be suggested, and run as a search finds it.
  package var maySuggest: @Sendable (_ line: String) -> Bool
  /// Returns the replacement for a range of Unicode scalars when Space is typed after the line, or `nil` if the last
  /// word is not an abbreviation.
  package var expansion: @Sendable (_ line: String) -> (range: Range<Int>, text: String)?
  /// Returns an explanation of the command at the cursor to print above the prompt, or "".
  package var explanation: @Sendable (_ line: String, _ cursor: Int) -> String
  /// The word that one key adds to or removes from the start of the line; "" for none.
  package var prefix: String
  /// Indicates whether the caller opens the line in an external editor when it receives ``Input/editor(_:)``.
  package var canEdit: Bool
  /// Returns the labels of a backward and a forward search of the history.
  package var searchNames: @Sendable () -> (back: String, forward: String)

  package init(
    completer: @escaping @Sendable (String, Int) -> CompletionResult = { _, _ in .none },
    highlighter: (@Sendable (String) -> [HighlightedRange])? = nil,
    isUnfinished: @escaping @Sendable (String) -> Bool = { _ in false },
    hint: @escaping @Sendable (String) -> String = { _ in "" },
    maySuggest: @escaping @Sendable (String) -> Bool = { _ in true },
    expansion: @escaping @Sendable (String) -> (range: Range<Int>, text: String)? = { _ in nil },
    searchNames: @escaping @Sendable () -> (back: String, forward: String) = { ("bck", "fwd") },
    explanation: @escaping @Sendable (_ line: String, _ cursor: Int) -> String = { _, _ in "" },
    prefix: String = "", canEdit: Bool = false
  ) {
    self.completer = completer
    self.highlighter = highlighter
    self.isUnfinished = isUnfinished
    self.hint = hint
    self.maySuggest = maySuggest
    self.expansion = expansion
    self.searchNames = searchNames
    self.explanation = explanation
    self.prefix = prefix
    self.canEdit = canEdit
  }

  func question(_ prompt: String) -> PromptRequest {
    PromptRequest(
      prompt: StyledPrompt(prompt), completer: completer, painter: highlighter, isUnfinished: isUnfinished,
      hint: hint, maySuggest: maySuggest, expansion: expansion, explanation: explanation, prefix: prefix,
      canEdit: canEdit, searchNames: searchNames())
  }
}
