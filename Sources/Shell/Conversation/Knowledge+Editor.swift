import Catalog
import Language
import LineEditing

extension Knowledge {
  /// What the line editor shows on Tab, in the reader's language.
  package func choices(_ line: String, at cursor: Int, in tongue: Tongue) -> LineEditing.Completion {
    let completion = complete(line, at: cursor)
    return LineEditing.Completion(
      range: completion.range,
      candidates: completion.candidates.map {
        Choice($0.text, description: $0.summary?[tongue].plain ?? "", endsWord: $0.endsWord)
      })
  }

  /// The colours of a line as it is typed.
  package func colours(_ line: String) -> [PaintedRange] {
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
