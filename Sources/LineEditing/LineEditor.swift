/// The prompt of an interactive session: emacs or vi keys, history, completion, paste, colours.
///
/// It lives on a thread of its own, so `readLine` blocks nobody. Between two questions the terminal is as it was
/// found. On a terminal that cannot move its cursor the same functions ask without any escape code.
package actor LineEditor {
  private nonisolated let thread = EditorThread()
  private nonisolated let mailbox = Mailbox()
  private var options: Options
  private var core: EditCore?
  /// The history where there is no core to hold it.
  private var plainHistory: History
  private let completer: @Sendable (String, Int) -> Completion
  private let painter: (@Sendable (String) -> [PaintedRange])?
  private let isUnfinished: @Sendable (String) -> Bool
  private var isStarted = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - completer: gets the line and how many Unicode scalars of it are before the cursor.
  ///   - painter: colours for the line; none when nil.
  ///   - isUnfinished: whether Enter goes on in a next line (an open quote, a backslash at the end).
  package init(
    _ options: Options, completer: @escaping @Sendable (_ line: String, _ cursor: Int) -> Completion,
    painter: (@Sendable (_ line: String) -> [PaintedRange])? = nil,
    isUnfinished: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    self.options = options
    self.completer = completer
    self.painter = painter
    self.isUnfinished = isUnfinished
    plainHistory = History(path: nil)
  }

  deinit {
    thread.finish()
  }

  /// Asks for a line.
  /// - Parameters:
  ///   - prompt: may hold colours (SGR) and newlines.
  ///   - right: shown dim at the right edge while there is room; "" for none.
  package func readLine(prompt: String, right: String = "") async -> Input {
    start()
    return await ask { editor in
      guard let core = editor.core else { return editor.askPlainly(prompt) }
      return core.ask(
        Question(
          prompt: StyledPrompt(prompt), right: right, completer: editor.completer, painter: editor.painter,
          isUnfinished: editor.isUnfinished))
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

  /// Asks for one field of a form, checking while one types; what is typed is not remembered.
  /// - Parameters:
  ///   - initial: the text to start from.
  ///   - accepts: nil when Enter may take the text, else the hint shown beside it.
  ///   - refuses: texts no key may lead to; such a key only beeps.
  ///   - counter: shown dim beside the text: `12/40`.
  package func readField(
    prompt: String, initial: String = "", accepts: @escaping @Sendable (String) -> String? = { _ in nil },
    refuses: @escaping @Sendable (String) -> Bool = { _ in false },
    counter: @escaping @Sendable (String) -> String = { _ in "" },
    completer: @escaping @Sendable (_ line: String, _ cursor: Int) -> Completion = { _, _ in .none }
  ) async -> Input {
    start()
    let question = Question(
      prompt: StyledPrompt(prompt), initial: initial, isField: true, completer: completer, accepts: accepts,
      refuses: refuses, counter: counter)
    return await ask { editor in
      editor.core?.ask(question) ?? editor.askPlainField(prompt, question)
    }
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

  package func setKeys(_ keys: Keys) {
    options.keys = keys
    core?.options.keys = keys
    core?.configureKeys()
  }

  package func setSuggestions(_ isOn: Bool) {
    options.suggestions = isOn
    core?.options.suggestions = isOn
  }

  package func setColors(_ isOn: Bool) {
    options.colors = isOn
    core?.options.colors = isOn
  }

  /// Keeps the line for recall and in the file. What may be kept is for the caller to know: never a secret.
  package func remember(_ line: String) {
    start()
    if let core { core.remember(line) } else { _ = plainHistory.add(line) }
  }

  /// The lines that can be recalled, oldest first.
  package func history() -> [String] {
    start()
    return core?.history.entries ?? plainHistory.entries
  }

  /// What went wrong with the history since it was last asked, and lines of `.editrc` that are not understood, as
  /// `path:line: reason`, told once.
  package func takeTroubles() -> (history: [HistoryTrouble], editrc: [String]) {
    start()
    defer { core?.editrcTroubles = [] }
    return (core?.history.takeTroubles() ?? plainHistory.takeTroubles(), core?.editrcTroubles ?? [])
  }

  /// Gives the terminal back; a question that is open ends with ``Input/end``.
  package nonisolated func stop() async {
    mailbox.post { $0.isStopped = true }
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

  /// Runs a question so that cancelling the task gives it up.
  private func ask(_ question: (isolated LineEditor) -> Input) async -> Input {
    if Task.isCancelled { return .interrupted }
    return await withTaskCancellationHandler {
      question(self)
    } onCancel: {
      mailbox.post { $0.isCancelled = true }
    }
  }

  // MARK: Without a cursor to move

  private func askPlainly(_ prompt: String) -> Input {
    let lines = CookedLines(input: options.input, output: options.output, mailbox: mailbox)
    var text = ""
    var prompt = StyledPrompt.withoutStyles(prompt)
    while true {
      switch lines.ask(prompt) {
      case .line(let line):
        text += line
        if text.utf8.count > LineLimit.bytes { return .tooLong }
        if !isUnfinished(text) { return .line(text) }
        text += "\n"
        prompt = "> "
      case let other: return other
      }
    }
  }

  private func askPlainField(_ prompt: String, _ question: Question) -> Input {
    let lines = CookedLines(input: options.input, output: options.output, mailbox: mailbox)
    let shown = question.initial.isEmpty ? "" : "[\(question.initial)] "
    while true {
      let answer = lines.ask(StyledPrompt.withoutStyles(prompt) + shown)
      guard case .line(let typed) = answer else { return answer }
      let text = typed.isEmpty ? question.initial : typed
      let hint = question.accepts(text)
      if hint == nil, !question.refuses(text) { return .line(text) }
      Descriptor.write((hint ?? "?") + "\n", to: options.output)
    }
  }
}
