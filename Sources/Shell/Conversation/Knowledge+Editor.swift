import Catalog
import Language
import LineEditing
import Presentation
import Text

extension Knowledge {
  /// What the line editor asks while a person types.
  package var help: LineHelp {
    LineHelp(
      completer: choices, painter: colours, isUnfinished: { self.grammar.isUnfinished($0) }, hint: hint,
      maySuggest: { !self.grammar.mayWrite($0) })
  }

  /// What the line editor shows on Tab, in the reader's language; names of a server's are made harmless.
  private func choices(_ line: String, at cursor: Int) -> LineEditing.Completion {
    let completion = complete(line, at: cursor)
    let tongue = tongue
    return LineEditing.Completion(
      range: completion.range,
      candidates: completion.candidates.map {
        let description = Sanitizer.clean($0.summary?[tongue].plain ?? "", limit: 200)
        return Choice($0.text, description: description, endsWord: $0.endsWord)
      }, isCut: completion.isCut)
  }

  /// The colours of a line as it is typed.
  private func colours(_ line: String) -> [PaintedRange] {
    paint(line).map { PaintedRange($0.range, style: $0.role.style) }
  }
}

extension Role {
  fileprivate var style: String {
    switch self {
    case .command: "1;36"
    case .option: "36"
    case .id: "33"
    case .field: "34"
    case .value: "0"
    case .string: "32"
    case .comment: "2"
    case .error: "4;31"
    }
  }
}
