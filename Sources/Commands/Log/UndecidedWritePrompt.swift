import Catalog
import MarketOperations
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// Writes that only the user can decide.
///
/// Each is shown with its product, its values and its evidence; without an answer it stays pending.
struct UndecidedWritePrompt {
  /// The answers of the user.
  struct Decisions {
    /// The creates that didn't take effect and are to be sent again.
    var resent: [JournalEntry] = []
    /// The other writes that didn't take effect. They are closed and not sent again.
    var closed: [JournalEntry] = []
    /// The writes that took effect.
    var applied: [JournalEntry] = []
    /// The products that creates made, by their log entries.
    var products: [Int: Product.ID] = [:]
  }

  private let scope: CommandScope

  init(_ scope: CommandScope) {
    self.scope = scope
  }

  /// Returns the known facts about a write, which are never empty.
  static func evidence(of entry: JournalEntry) -> LocalizedText {
    if let left = entry.leftWhole, let looked = entry.ended {
      return LocalizedText(
        "Sent completely at \(left.description), but the product had not appeared by \(looked.description).",
        ko: "\(left.description)에 전송을 마쳤고 \(looked.description)까지 보이지 않았습니다.")
    }
    guard let detail = entry.detail else {
      return LocalizedText(
        "Sent at \(entry.time.description). No response.", ko: "\(entry.time.description)에 보냈지만 응답이 없습니다.")
    }
    return detail.wording
  }

  /// Asks about each undecided write that is meant, and records the answers that end it.
  ///
  /// - Returns: The answers. The creates to send again are left undecided until they are sent.
  /// - Throws: `JournalError` if the log can't be read or written.
  func ask(_ binding: MarketLogin, where isMeant: (Int) -> Bool) async throws -> Decisions {
    let journal = try scope.context.stores.journal()
    var decisions = Decisions()
    for entry in try journal.undecidedEntries(binding) where entry.isQuestion && isMeant(entry.id) {
      guard !scope.context.program.interruption.isRequested else { return decisions }
      let subject = entry.subject(scope.messageOptions)
      scope.say(
        .warning(
          "It is unknown whether log entry \(entry.id) took effect: \(subject.english).",
          ko: "로그 \(entry.id)번이 적용되었는지 알 수 없습니다: \(subject.korean)."
        ).because(UndecidedWritePrompt.evidence(of: entry)))
      guard scope.context.program.asker != nil else { continue }
      guard let answer = await scope.answer(to: question(about: entry)), answer != "q" else {
        return decisions
      }
      let candidates = UndecidedWritePrompt.candidates(of: entry)
      let named = Int(answer).flatMap { candidates.contains($0) ? $0 : nil }
      let isYes = named != nil || candidates.count < 2 && ConfirmationPrompt.isYes(answer)
      guard isYes || ConfirmationPrompt.isNo(answer) else { continue }
      let product = isYes ? named ?? candidates.first : nil
      if !isYes, UndecidedWritePrompt.canBeResent(entry) {
        decisions.resent.append(entry)
      } else if try !journal.recordDecision(entry.id, wasApplied: isYes, product: product) {
        scope.say(
          .note(
            "Log entry \(entry.id) was resolved by another openmarket session in the meantime.",
            ko: "그사이 다른 openmarket이 로그 \(entry.id)번을 처리했습니다."))
      } else if isYes {
        decisions.applied.append(entry)
        decisions.products[entry.id] = product
      } else {
        decisions.closed.append(entry)
      }
    }
    return decisions
  }

  /// Returns whether `resume` can send a write again after the user didn't find its product.
  static func canBeResent(_ entry: JournalEntry) -> Bool {
    guard !entry.hasInvalidChecksum, case .create? = entry.change else { return false }
    return true
  }

  /// Returns the products that reading found for a create and that may be the one that it made.
  private static func candidates(of entry: JournalEntry) -> [Product.ID] {
    guard case .create? = entry.change else { return [] }
    return entry.detail?.candidateProducts ?? []
  }

  private func question(about entry: JournalEntry) -> LocalizedText {
    let name = entry.change?.name.map { " \"\(.foreign($0))\"" as StyledText } ?? ""
    switch entry.change {
    case .create:
      let candidates = UndecidedWritePrompt.candidates(of: entry)
      if candidates.count == 1 {
        return LocalizedText(
          "Is product \(candidates[0]) the new product\(name)? [y: yes, n: no, send it again, Enter: decide later] ",
          ko: "\(candidates[0])번 상품이 그 새 상품\(name)인가요? [y: 예, n: 아니요, 다시 보내기, Enter: 나중에] ")
      }
      if candidates.count > 1 {
        let list = candidates.map(String.init).joined(separator: ", ")
        return LocalizedText(
          "Which product is the new product\(name)? [\(list); n: none, send it again, Enter: decide later] ",
          ko: "어느 상품이 그 새 상품\(name)인가요? [\(list); n: 없음, 다시 보내기, Enter: 나중에] ")
      }
      return LocalizedText(
        "Does the new product\(name) exist? [y: yes, n: no, send it again, Enter: decide later] ",
        ko: "새 상품\(name), 등록되어 있나요? [y: 예, n: 아니요, 다시 보내기, Enter: 나중에] ")
    case .edit(let product, _, _):
      return LocalizedText(
        "Was product \(product.id)\(name) updated? [y/n, Enter to decide later] ",
        ko: "\(product.id)번 상품\(name), 수정되었나요? [y/n, Enter는 그대로 두기] ")
    case .delete(let product):
      return LocalizedText(
        "Was product \(product.id)\(name) deleted? [y/n, Enter to decide later] ",
        ko: "\(product.id)번 상품\(name), 삭제되었나요? [y/n, Enter는 그대로 두기] ")
    case nil:
      return LocalizedText(
        "Did log entry \(entry.id) take effect? [y/n, Enter to decide later] ",
        ko: "로그 \(entry.id)번이 적용되었나요? [y/n, Enter는 그대로 두기] ")
    }
  }
}
