import Catalog
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The messages about writes that an earlier command made.
package enum EarlierWriteMessages {
  /// Returns the reason why nothing is sent for a change, and the option that sends it anyway.
  package static func message(_ write: EarlierWrite) -> Message {
    let product = write.product
    switch write.reason {
    case .plan:
      return .note(
        "It was applied before, as product \(product). Nothing was sent.",
        ko: "이전에 \(product)번 상품으로 적용되었습니다. 아무것도 보내지 않았습니다."
      ).next(again)
    case .file:
      return .note(
        "It was created before, as product \(product). Nothing was sent.",
        ko: "이전에 \(product)번 상품으로 등록되었습니다. 아무것도 보내지 않았습니다."
      ).next(again)
    case .delete:
      return .note(
        "Product \(product) does not exist any more: log entry \(write.entry) deleted it. Nothing was sent.",
        ko: "\(product)번 상품은 더 이상 없습니다. 로그 \(write.entry)번이 삭제했습니다. 아무것도 보내지 않았습니다.")
    }
  }

  private static let again = LocalizedText(
    "To apply it again, add \(.command("again")) to the command.",
    ko: "다시 적용하려면 명령 끝에 \(.command("again"), .object) 붙이세요.")

  /// Returns the reason for a cell of a batch's table.
  static func detail(_ write: EarlierWrite) -> LocalizedText {
    let product = write.product
    return switch write.reason {
    case .plan: LocalizedText("applied before as \(product)", ko: "이전에 \(product)번으로 적용됨")
    case .file: LocalizedText("created before as \(product)", ko: "이전에 \(product)번으로 등록됨")
    case .delete: LocalizedText("deleted before (log entry \(write.entry))", ko: "이전에 삭제됨(로그 \(write.entry)번)")
    }
  }

  /// Returns what earlier runs had done of a batch, one text for each reason.
  static func counts(_ writes: [EarlierWrite]) -> [LocalizedText] {
    let deleted = writes.filter { $0.reason == .delete }
    let created = writes.filter { $0.reason != .delete }
    var texts: [LocalizedText] = []
    func ids(_ writes: [EarlierWrite]) -> String { ScheduledSale.listed(writes.map(\.product)) }
    if !created.isEmpty {
      let products: StyledText =
        created.count == 1 ? "product \(ids(created))" : "products \(ids(created))"
      texts.append(
        LocalizedText(
          "\(created.count) \(created.count == 1 ? StyledText("was") : "were") created before: \(products).",
          ko: "\(created.count)건은 이전에 등록되었습니다: \(ids(created))번."))
    }
    if !deleted.isEmpty {
      texts.append(
        LocalizedText(
          "\(deleted.count) \(deleted.count == 1 ? StyledText("was") : "were") deleted before: \(ids(deleted)).",
          ko: "\(deleted.count)건은 이전에 삭제되었습니다: \(ids(deleted))번."))
    }
    return texts
  }
}

extension Change {
  /// The change in a few words, with the ID and the name of its product: `update product 138 "먹색 요리책"`.
  package var subject: LocalizedText {
    let name = name.map { " \"\(.foreign($0))\"" as StyledText } ?? ""
    return switch self {
    case .create: LocalizedText("create\(name)", ko: "상품\(name) 등록")
    case .edit(let product, _, _):
      LocalizedText("update product \(product.id)\(name)", ko: "\(product.id)번 상품\(name) 수정")
    case .delete(let product):
      LocalizedText("delete product \(product.id)\(name)", ko: "\(product.id)번 상품\(name) 삭제")
    }
  }
}

extension JournalEntry {
  /// The write in a few words, with the ID and the name of its product; the kind of a write that isn't known in full.
  package var subject: LocalizedText {
    if let change { return change.subject }
    if action == .raw { return LocalizedText("raw request", ko: "raw 요청") }
    guard let product else { return action.words }
    let (english, korean) = (action.words.english, action.words.korean)
    return LocalizedText("\(english) product \(product)", ko: "\(product)번 상품 \(korean)")
  }

  /// The write in a few words with its values: `update product 138 "먹색 요리책" (price ₩19,000 → ₩17,100)`.
  package func subject(_ options: RenderOptions) -> LocalizedText {
    let values = change.map { ChangeSummary(options, isPlan: true).values(of: $0) } ?? ""
    guard !values.isEmpty else { return subject }
    return LocalizedText(
      "\(subject.english) (\(.foreign(values)))", ko: "\(subject.korean)(\(.foreign(values)))")
  }
}
