import Catalog
import Engine
import Journal
import Presentation
import Text

/// Writes that only the user can decide: shown with the evidence, asked one by one, left open without an answer.
struct OpenQuestions {
  private let session: Session
  private let context: Context

  init(_ session: Session, _ context: Context) {
    self.session = session
    self.context = context
  }

  /// What is known of it, never nothing.
  static func evidence(of entry: Entry) -> Wording {
    if let left = entry.leftWhole, let looked = entry.ended {
      return Wording(
        "It was sent whole at \(left.description) and not seen until \(looked.description).",
        ko: "\(left.description)에 다 보냈고 \(looked.description)까지 보이지 않았습니다.")
    }
    guard let detail = entry.detail, !detail.isEmpty else {
      return Wording(
        "It was sent at \(entry.time.description) and not answered.", ko: "\(entry.time.description)에 보냈고 답이 없었습니다.")
    }
    return Wording(same: "\(.foreign(detail))")
  }

  func ask(_ binding: Binding) async throws {
    let journal = try context.journal()
    for entry in try journal.unsettled(binding) where entry.isQuestion {
      guard !context.interruption.isAsked else { return }
      let product = entry.product.map { " \($0)" } ?? ""
      context.say(
        .warning(
          "Entry \(entry.n), \(entry.action.rawValue)\(product): it cannot be told from here whether it took effect.",
          ko: "기록 \(entry.n)번, \(entry.action.rawValue)\(product): 적용되었는지 여기서는 알 수 없습니다."
        ).because(OpenQuestions.evidence(of: entry)), session)
      guard let asker = context.asker else { continue }
      let question = Wording(
        "Did it take effect? [y/n, Enter leaves it open] ", ko: "적용되었습니까? [y/n, 엔터는 그대로 두기] ")
      guard let answer = await asker.answer(to: question[session.settings.tongue].plain)?.trimmed.lowercased() else {
        return
      }
      let isYes = Confirmation.isYes(answer)
      guard isYes || ["n", "no", "아니", "아니요", "ㄴ"].contains(answer) else { continue }
      if try !journal.decide(entry.n, wasApplied: isYes) {
        context.say(
          .note("Entry \(entry.n) was decided elsewhere meanwhile.", ko: "그사이 기록 \(entry.n)번은 다른 곳에서 정해졌습니다."), session)
      }
    }
  }
}
