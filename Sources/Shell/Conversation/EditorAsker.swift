import Catalog
import Language
import LineEditing

/// Questions asked through the line editor.
package struct EditorAsker: Asker {
  private let editor: LineEditor

  package init(_ editor: LineEditor) { self.editor = editor }

  package func answer(to question: String) async -> String? { text(await editor.readField(prompt: question)) }

  package func secret(_ prompt: String) async -> String? { text(await editor.readSecret(prompt: prompt)) }

  package func field(_ field: FormQuestion) async -> FormAnswer {
    let input = await editor.readField(
      prompt: field.prompt, initial: field.initial, accepts: field.problem,
      refuses: { !field.allowsTyping($0) }, counter: { field.counter($0) ?? "" },
      completer: { line, cursor in
        let typed = String(String.UnicodeScalarView(line.unicodeScalars.prefix(cursor)))
        let start =
          typed.lastIndex(of: ",").map { typed.unicodeScalars.distance(from: typed.startIndex, to: $0) + 1 } ?? 0
        return LineEditing.Completion(
          range: start..<cursor,
          candidates: field.candidates(typed).map { Choice($0.text, endsWord: false) })
      })
    return text(input).map { .text($0) } ?? .left
  }

  private func text(_ input: Input) -> String? {
    switch input {
    case .line(let line): line
    case .interrupted, .end, .notText, .tooLong: nil
    }
  }
}
