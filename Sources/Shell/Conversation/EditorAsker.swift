import Assistance
import Catalog
import Engine
import Language
import LineEditing

/// Questions asked through the line editor.
package struct EditorAsker: Asker {
  private let editor: LineEditor

  package init(_ editor: LineEditor) { self.editor = editor }

  package func answer(to question: String) async -> String? {
    switch await editor.readField(FieldQuestion(prompt: question)) {
    case .text(let text): text
    case .up, .down, .left, .notText, .tooLong: nil
    }
  }

  package func secret(_ prompt: String) async -> String? {
    switch await editor.readSecret(prompt: prompt) {
    case .line(let line): line
    case .interrupted, .end, .notText, .tooLong: nil
    }
  }

  package func field(_ field: FormQuestion) async -> FormAnswer {
    let answer = await editor.readField(
      FieldQuestion(
        prompt: field.prompt, initial: field.initial, isInForm: field.isInForm, rows: field.rows, rule: field.rule,
        accepts: field.problem, refuses: { !field.allowsTyping($0) }, counter: { field.counter($0) ?? "" },
        completer: { Self.choices(field, $0, $1) }))
    return switch answer {
    case .text(let text): .text(text)
    case .up(let text): .up(text)
    case .down(let text): .down(text)
    case .left, .notText, .tooLong: .left
    }
  }

  package func endForm() async { await editor.eraseForm() }

  /// Choices for what stands behind the last comma.
  private static func choices(_ field: FormQuestion, _ line: String, _ cursor: Int) -> LineEditing.Completion {
    let typed = String(String.UnicodeScalarView(line.unicodeScalars.prefix(cursor)))
    let scalars = Array(typed.unicodeScalars)
    let start = scalars.lastIndex(of: ",").map { $0 + 1 } ?? 0
    return LineEditing.Completion(
      range: start..<cursor, candidates: field.candidates(typed).map { Choice($0.text, endsWord: false) })
  }
}
