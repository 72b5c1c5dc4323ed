import Catalog
import Language
import Presentation

/// Fields of a condition that rows of a list do not tell, so that nothing can match: said once, not left to be wondered at.
struct UntoldFields {
  private let fields: Set<Field>
  private var wasAsked = false

  init(_ condition: Language.Expression?) { fields = condition?.fields ?? [] }

  /// Looks at the first rows that come.
  mutating func look(at rows: [Product], _ session: Session, _ context: Context) {
    guard !wasAsked, !rows.isEmpty else { return }
    wasAsked = true
    let untold = Field.allCases.filter { field in
      fields.contains(field) && !rows.contains { $0.tells([field]) || (field == .thumbnail && $0.thumbnail != nil) }
    }
    guard !untold.isEmpty else { return }
    let names = untold.map(\.rawValue).joined(separator: ", ")
    context.say(
      .note(
        "Lists do not tell \(.field(names)) here, so a condition on it holds for none.",
        ko: "여기 목록에는 \(.field(names), .subject) 없어, 그 조건에 맞는 것이 없습니다."), session)
  }
}
