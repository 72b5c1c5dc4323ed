import CommandLanguage
import LineEditing
import ShellRuntime

/// Prompts through the line editor.
package struct EditorPrompt: UserPrompt {
  private let editor: LineEditor

  package init(_ editor: LineEditor) { self.editor = editor }

  package func answer(to question: String) async -> String? {
    switch await editor.readField(FormField(prompt: question, discardsTypeahead: true)) {
    case .text(let text): text
    case .up, .down, .cancelled, .notText, .tooLong: nil
    }
  }

  package func secret(_ prompt: String) async -> String? {
    switch await editor.readSecret(prompt: prompt) {
    case .line(let line): line
    case .interrupted, .endOfFile, .invalidUTF8, .tooLong, .unreadable, .editor: nil
    }
  }

  package func field(_ field: FormQuestion) async -> FormAnswer {
    let answer = await editor.readField(
      FormField(
        prompt: field.prompt, initial: field.initial, isInForm: field.isInForm,
        discardsTypeahead: field.discardsTypeahead, surroundingRows: field.rows, placeholder: field.rule,
        validationError: field.problem,
        counter: { field.counter($0) ?? "" },
        completer: { Self.choices(field, $0, $1) }))
    return switch answer {
    case .text(let text): .text(text)
    case .up(let text): .up(text)
    case .down(let text): .down(text)
    case .cancelled, .notText, .tooLong: .left
    }
  }

  package func endForm() async { await editor.eraseForm() }

  /// Returns the completions for the text after the last comma.
  private static func choices(_ field: FormQuestion, _ line: String, _ cursor: Int) -> LineEditing.CompletionResult {
    let typed = String(String.UnicodeScalarView(line.unicodeScalars.prefix(cursor)))
    let scalars = Array(typed.unicodeScalars)
    var start = scalars.lastIndex(of: ",").map { $0 + 1 } ?? 0
    while start < cursor, scalars[start] == " " { start += 1 }
    return LineEditing.CompletionResult(
      range: start..<cursor, candidates: field.candidates(typed).map { CompletionCandidate($0.text, endsWord: false) })
  }
}
