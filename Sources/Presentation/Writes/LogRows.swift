import Catalog
import Text

/// The log as a terminal shows it: a row a write that fits 80 columns, with the product's name and what changed.
package enum LogRows {
  /// One write.
  package struct Row {
    package var number: Int
    package var time: Timestamp
    package var product: Product.ID?
    package var name: String?
    /// `nil` for a raw request, and for a record that cannot be read any more.
    package var change: Change?
    /// The words shown in place of a change.
    package var action: LocalizedText
    package var outcome: LocalizedText
    package var isDone: Bool
    package var detail: String?
    package var batch: Int?
    /// The run that it belongs to.
    package var run: Int?
    package var profile: String
    package var note: String?
    /// The actor of the change, or `nil` if the log doesn't say.
    package var actor: LocalizedText?

    package init(
      number: Int, time: Timestamp, product: Product.ID?, name: String?, change: Change?, action: LocalizedText,
      outcome: LocalizedText, isDone: Bool, detail: String?, batch: Int?, run: Int? = nil, profile: String,
      note: String?, actor: LocalizedText? = nil
    ) {
      self.number = number
      self.time = time
      self.product = product
      self.name = name
      self.change = change
      self.action = action
      self.outcome = outcome
      self.isDone = isDone
      self.detail = detail
      self.batch = batch
      self.run = run
      self.profile = profile
      self.note = note
      self.actor = actor
    }
  }

  /// Returns the rows as a table, in which profiles and actors are named only if they differ.
  ///
  /// - Parameters:
  ///   - rows: The writes, newest first.
  ///   - groupsRuns: Whether the writes of a run that follow one another are one row.
  ///   - now: In seconds since 1970: the time of today's writes is their hour, that of older ones their day.
  ///   - options: Those of the terminal.
  package static func table(_ rows: [Row], groupsRuns: Bool = false, now: Int64, _ options: RenderOptions) -> Table {
    let words = ChangeSummary(options)
    let hasSeveralProfiles = Set(rows.map(\.profile)).count > 1
    let hasSeveralActors = Set(rows.map(\.actor)).count > 1
    return Table(
      [
        .init("n", LocalizedText("n", ko: "번호"), isNumber: true),
        .init("time", LocalizedText("time", ko: "시각"), minimumWidth: .max),
        .init("product", LocalizedText("product", ko: "상품"), minimumWidth: 14),
        .init("change", LocalizedText("what changed", ko: "변경 내용"), minimumWidth: 28),
        .init("outcome", LocalizedText("outcome", ko: "결과"), minimumWidth: .max),
        .init("batch", LocalizedText("batch", ko: "일괄"), isNumber: true, dropOrder: 1),
        .init("note", LocalizedText("note", ko: "메모"), dropOrder: 2),
        .init("actor", LocalizedText("actor", ko: "변경한 쪽"), dropOrder: 3),
        .init("profile", LocalizedText("profile", ko: "프로필"), dropOrder: 4),
      ],
      rows: groups(rows, byRun: groupsRuns).map { group in
        let row = group[0]
        let product = [row.product.map { String($0) }, row.name].compactMap(\.self).joined(separator: " ")
        let changes = Array(group.reversed().map { change($0, words: words, options: options) }.uniqued())
        return [
          group.count > 1 ? .text(row.run.map { "r\($0)" } ?? "-") : .number(row.number),
          .text(time(row.time, now: now)),
          Set(group.map(\.product)).count > 1
            ? .localized(products(of: group)) : .text(product.isEmpty ? "-" : product),
          .text(changes[0] + (changes.count > 1 ? ", …" : "")), .localized(outcome(of: group)),
          Set(group.map(\.batch)).count > 1 ? .none : row.batch.map { .number($0) } ?? .none,
          row.note.map { .text($0) } ?? .none,
          hasSeveralActors ? row.actor.map { .localized($0) } ?? .none : .none,
          hasSeveralProfiles ? .text(row.profile) : .none,
        ]
      })
  }

  /// Returns the rows in groups: those of a run that follow one another, or each alone.
  private static func groups(_ rows: [Row], byRun: Bool) -> [[Row]] {
    var groups: [[Row]] = []
    for row in rows {
      if byRun, let run = row.run, groups.last?.last?.run == run {
        groups[groups.count - 1].append(row)
      } else {
        groups.append([row])
      }
    }
    return groups
  }

  private static func products(of group: [Row]) -> LocalizedText {
    // A create that isn't done has no number yet.
    let count = Set(group.compactMap(\.product)).count + group.count { $0.product == nil }
    return LocalizedText("\(count) products", ko: "상품 \(count)개")
  }

  /// Returns the outcome of all, or the number of each: `4 done, 1 unknown`.
  private static func outcome(of group: [Row]) -> LocalizedText {
    let all = group.map(\.outcome).uniqued()
    guard all.count > 1 else { return group[0].outcome }
    let counts = all.map { outcome in (group.count { $0.outcome == outcome }, outcome) }
    return LocalizedText(
      "\(counts.map { "\($0) \($1[.english].plain)" }.joined(separator: ", "))",
      ko: "\(counts.map { "\($1[.korean].plain) \($0)건" }.joined(separator: ", "))")
  }

  private static func change(_ row: Row, words: ChangeSummary, options: RenderOptions) -> String {
    let change =
      row.change.map { words.of($0, nil).joined(separator: ", ") } ?? row.action[options.language].plain
    guard let detail = row.detail, !row.isDone || row.change == nil else { return change }
    return change + ": " + detail
  }

  /// Returns `14:05` for today, `11-23` for this year, `2025-11-23` for earlier years, in the local time zone.
  private static func time(_ moment: Timestamp, now: Int64) -> String {
    let text = moment.local.displayDescription
    let today = Timestamp(seconds: now, isUTC: true).local.displayDescription
    if text.prefix(10) == today.prefix(10) { return String(text.dropFirst(11).prefix(5)) }
    return String(text.prefix(4) == today.prefix(4) ? text.dropFirst(5).prefix(5) : text.prefix(10))
  }
}

extension Sequence where Element: Hashable {
  /// Returns the elements without repetitions, in their order.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
