import Catalog
import Language
import LineEditing

/// Questions asked through the line editor.
package struct EditorAsker: Asker {
  private let editor: LineEditor

  package init(_ editor: LineEditor) { self.editor = editor }

  package func answer(to question: String) async -> String? { text(await editor.readAnswer(prompt: question)) }

  package func secret(_ prompt: String) async -> String? { text(await editor.readSecret(prompt: prompt)) }

  package func field(_ field: FormQuestion) async -> FormAnswer {
    text(await editor.readField(field)).map { .text($0) } ?? .left
  }

  private func text(_ input: Input) -> String? {
    switch input {
    case .line(let line): line
    case .interrupted, .end, .notText, .tooLong: nil
    }
  }
}
