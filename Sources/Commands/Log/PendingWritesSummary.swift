import Catalog
import MarketOperations
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// Three lines about the pending writes of one batch: progress, content, and the commands that continue or undo it.
struct PendingWritesSummary {
  /// The number of the batch, or `nil` for a single write.
  private let batch: Int?
  /// All entries of the batch, including completed ones.
  private let entries: [JournalEntry]
  private let open: [JournalEntry]
  /// The line that undoes the batch, or `nil` for a single write.
  private let undo: String?

  /// Groups pending writes by batch in the order they were planned.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  static func grouped(_ open: [JournalEntry], _ journal: Journal) throws -> [PendingWritesSummary] {
    var seen: Set<Int> = []
    return try open.sorted { $0.id < $1.id }.compactMap { entry in
      guard let batch = entry.batch else {
        return PendingWritesSummary(batch: nil, entries: [entry], open: [entry], undo: nil)
      }
      guard seen.insert(batch).inserted else { return nil }
      return PendingWritesSummary(
        batch: batch, entries: try journal.batch(batch), open: open.filter { $0.batch == batch },
        undo: try RunMessages.undoLine(ofBatchOf: entry, journal))
    }
  }

  func lines(_ options: RenderOptions) -> [[Figure.Run]] {
    let head = batch.map { LocalizedText("batch \($0)", ko: "\($0)번 일괄 작업") } ?? single
    let counts = self.counts.map { count, words in
      LocalizedText("\(count) \(words.english)", ko: "\(words.korean) \(count)건")
    }
    let language = options.language
    let state = counts.map { $0[language] }.joined(separator: ", ")
    return paragraph("\(.strong(head[language].plain)): " + state, indent: 0, options)
      + paragraph(description(language), indent: 2, options)
      + evidence(language).flatMap { paragraph($0, indent: 2, options) }
      + (batch == nil ? [] : questions(options).flatMap { paragraph($0, indent: 2, options) })
      + paragraph(suggestedCommands(language), indent: 2, options)
  }

  private var single: LocalizedText {
    let n = entries[0].id
    return LocalizedText("entry \(n)", ko: "로그 \(n)번")
  }

  private func paragraph(_ text: StyledText, indent: Int, _ options: RenderOptions) -> [[Figure.Run]] {
    let width = options.paragraphWidth()
    return Figure.paragraph(text, width: width - indent, options).map { line in
      indent == 0 ? line : [Figure.Run(String(repeating: " ", count: indent))] + line
    }
  }

  // MARK: Progress

  /// The number of entries in each state, completed ones first.
  private var counts: [(Int, LocalizedText)] {
    WriteState.allCases.compactMap { standing in
      let count = entries.count { WriteState($0) == standing }
      return count == 0 ? nil : (count, standing.words)
    }
  }

  // MARK: Content

  /// Returns the summary of the batch: `patch price of 23 products, since 2026-11-22 10:00`.
  private func description(_ language: MessageLanguage) -> StyledText {
    var kinds: [(JournalEntry.Action, [JournalEntry])] = []
    for entry in entries {
      if let index = kinds.firstIndex(where: { $0.0 == entry.action }) {
        kinds[index].1.append(entry)
      } else {
        kinds.append((entry.action, [entry]))
      }
    }
    let what = kinds.map { words(for: $0.0, $0.1)[language] }.joined(separator: ", ")
    let since = entries[0].time.displayDescription
    let note = entries[0].note.map { "; \(.foreign($0))" as StyledText } ?? ""
    // A group of which nothing was begun hasn't started.
    let isPlan = entries.allSatisfy { WriteState($0) == .notBegun }
    let begun = LocalizedText(
      "\(.dim((isPlan ? "; planned " : "; started ") + since))",
      ko: "\(.dim("; " + since + (isPlan ? "에 계획" : "에 시작")))")
    return what + begun[language] + note
  }

  private func words(for action: JournalEntry.Action, _ entries: [JournalEntry]) -> LocalizedText {
    let written = Set(entries.flatMap(writtenFields))
    let fields = ProductField.writable.filter(written.contains)
    let names = (
      english: fields.map(\.rawValue).joined(separator: ", "),
      korean: fields.map { $0.title[.korean].plain }.joined(separator: ", ")
    )
    let products = products(entries)
    switch action {
    case .create: return LocalizedText("create \(products.english)", ko: "\(products.korean) 등록")
    case .patch where fields.isEmpty: return LocalizedText("update \(products.english)", ko: "\(products.korean) 수정")
    case .patch:
      return LocalizedText(
        "update \(.field(names.english)) of \(products.english)", ko: "\(products.korean)의 \(.field(names.korean)) 수정")
    case .delete: return LocalizedText("delete \(products.english)", ko: "\(products.korean) 삭제")
    case .raw: return LocalizedText("raw request", ko: "raw 요청")
    }
  }

  /// Returns the fields of a patch, which has no values after it as long as it wasn't applied.
  private func writtenFields(_ entry: JournalEntry) -> [ProductField] {
    guard case .edit(_, _, let values) = entry.change else { return entry.after?.assignedFields ?? [] }
    return values.assignedFields
  }

  /// Returns the product with its ID and name if there is one, or otherwise the number of products with the first ones.
  private func products(_ entries: [JournalEntry]) -> LocalizedText {
    func named(_ entry: JournalEntry) -> String {
      [entry.product.map { String($0) }, entry.change?.name].compactMap(\.self).joined(separator: " ")
    }
    if entries.count == 1, let entry = entries.first { return LocalizedText(same: "\(.foreign(named(entry)))") }
    let names = entries.lazy.map(named).filter { !$0.isEmpty }.prefix(3).joined(separator: ", ")
    let shown = names.isEmpty ? "" : " (" + names + (entries.count > 3 ? ", …" : "") + ")"
    return LocalizedText(
      "\(entries.count) products\(.foreign(shown))", ko: "상품 \(entries.count)개\(.foreign(shown))")
  }

  /// Returns the different reasons of the pending writes, up to three of them, which tables cut.
  private func evidence(_ language: MessageLanguage) -> [StyledText] {
    var seen: Set<Evidence> = []
    return open.compactMap(\.detail).filter { seen.insert($0).inserted }.prefix(3).map { $0.wording[language] }
  }

  /// Returns a line for each write that only the user can decide, up to ten of them.
  private func questions(_ options: RenderOptions) -> [StyledText] {
    open.filter(\.isQuestion).prefix(10).map { entry in
      let (number, subject) = (entry.id, entry.subject(options))
      let head = LocalizedText(
        "log entry \(number) needs your decision: \(subject.english)",
        ko: "로그 \(number)번은 직접 확인 필요: \(subject.korean)")[options.language]
      return UndecidedWritePrompt.canBeResent(entry) ? head + "; \(.command("resume send \(number)"))" : head
    }
  }

  // MARK: Next steps

  private func suggestedCommands(_ language: MessageLanguage) -> StyledText {
    var lines = ["resume"]
    if batch == nil, let entry = open.first {
      lines = entry.isQuestion && entry.action == .create ? ["resume", "resume send \(entry.id)"] : ["resume"]
      lines.append("resume forget \(entry.id)")
    } else {
      lines.append("resume forget")
    }
    if let undo, entries.contains(where: { WriteState($0) == .done }) { lines.append(undo) }
    return lines.map { "\(.command($0))" as StyledText }.joined(separator: " | ")
  }
}

/// The state of one write of a batch, in the order of counting.
private enum WriteState: CaseIterable {
  case done
  case undone
  case refused
  case unknown
  case question
  case notApplied
  case notSent
  case notBegun
  case dropped

  init(_ entry: JournalEntry) {
    switch entry.state {
    case .planned, .claimed: self = .notBegun
    case .sending, .sendingFinalBytes, .unknown, .acknowledged: self = .unknown
    case .notSent: self = .notSent
    // 429, as in `log`.
    case .rateLimited: self = .refused
    case .done, .noChange: self = entry.undoneBy == nil ? .done : .undone
    case .refused, .drifted: self = .refused
    case .notApplied, .acknowledgedNotApplied: self = .notApplied
    case .needsDecision: self = .question
    case .abandoned: self = .dropped
    }
  }

  var words: LocalizedText {
    switch self {
    case .done: LocalizedText("done", ko: "완료")
    case .undone: LocalizedText("undone", ko: "되돌림")
    case .refused: LocalizedText("refused", ko: "거부됨")
    case .unknown: LocalizedText("unknown", ko: "결과 미확인")
    case .question: LocalizedText("needs your decision", ko: "직접 확인 필요")
    case .notApplied: LocalizedText("not applied", ko: "적용 안 됨")
    case .notSent: LocalizedText("not sent", ko: "미전송")
    case .notBegun: LocalizedText("not started", ko: "시작하지 않음")
    case .dropped: LocalizedText("discarded", ko: "버림")
    }
  }
}

extension [StyledText] {
  fileprivate func joined(separator: String) -> StyledText {
    dropFirst().reduce(first ?? "") { $0 + StyledText(separator) + $1 }
  }
}
