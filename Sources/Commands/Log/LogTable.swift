import Catalog
import CommandLanguage
import Foundation
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The entries of the log as rows with the columns that Language lists.
enum LogTable {
  static func of(_ entries: [JournalEntry], isSingle: Bool = false) -> Table {
    Table(
      [
        .init("n", LocalizedText("n", ko: "번호"), isNumber: true), .init("time", LocalizedText("time", ko: "시각")),
        .init("profile", LocalizedText("profile", ko: "프로필")), .init("action", LocalizedText("action", ko: "작업")),
        .init("product", LocalizedText("product", ko: "상품"), isNumber: true),
        .init("batch", LocalizedText("batch", ko: "일괄 작업"), isNumber: true),
        .init("before", LocalizedText("before", ko: "이전")),
        .init("after", LocalizedText("after", ko: "이후")), .init("outcome", LocalizedText("outcome", ko: "결과")),
        .init("detail", LocalizedText("detail", ko: "내용")), .init("note", LocalizedText("note", ko: "메모")),
        .init("actor", LocalizedText("actor", ko: "변경한 쪽")), .init("name", ProductField.name.title),
      ], rows: entries.map(row), isSingle: isSingle)
  }

  /// Returns the table of data formats, which shows a row a write on a terminal.
  ///
  /// - Parameters:
  ///   - isSingle: Whether one entry is meant.
  ///   - groupsRuns: Whether the writes of a run are one row.
  ///   - now: The time in seconds since 1970.
  ///   - options: Those of the terminal.
  static func of(
    _ entries: [JournalEntry], isSingle: Bool, groupsRuns: Bool = true, now: Int64, _ options: RenderOptions
  ) -> Table {
    var table = of(entries, isSingle: isSingle)
    if !entries.isEmpty {
      table.onTerminal = LogRows.table(entries.map(brief), groupsRuns: groupsRuns, now: now, options)
    }
    return table
  }

  private static func brief(_ entry: JournalEntry) -> LogRows.Row {
    let detail: String? = if case .localized(let words) = detail(entry) { words.english.plain } else { nil }
    return LogRows.Row(
      number: entry.id, time: entry.time, product: entry.product, name: entry.productName, change: entry.change,
      action: entry.action.words, outcome: entry.status.words,
      isDone: !entry.hasInvalidChecksum && [.done, .undone].contains(entry.status), detail: detail, batch: entry.batch,
      run: entry.run,
      profile: entry.profile, note: entry.note, actor: entry.actor?.words)
  }

  private static func row(_ entry: JournalEntry) -> [Table.Cell] {
    [
      .number(entry.id), .timestamp(entry.time), .text(entry.profile), .localized(entry.action.words),
      entry.product.map { .number($0) } ?? .none, entry.batch.map { .number($0) } ?? .none,
      entry.before.map { record($0, of: entry, pictures(entry).before) } ?? .none,
      entry.after.map { record($0, of: entry, pictures(entry).after) } ?? .none,
      .localized(entry.status.words), detail(entry), entry.note.map { .text($0) } ?? .none,
      entry.actor.map { .localized($0.words) } ?? .none, entry.productName.map { .text($0) } ?? .none,
    ]
  }

  private static func detail(_ entry: JournalEntry) -> Table.Cell {
    if entry.hasInvalidChecksum {
      return .localized(
        LocalizedText(
          "This log entry was modified on disk. It cannot be undone or resumed.",
          ko: "이 로그는 저장된 뒤 파일에서 바뀌어, 되돌리거나 재개할 수 없습니다."))
    }
    return entry.detail.map { .localized($0.wording) } ?? .none
  }

  /// Returns the number of images before and after an edit that replaces them.
  private static func pictures(_ entry: JournalEntry) -> (before: Int?, after: Int?) {
    guard case .edit(let product, _, let to)? = entry.change, let files = to.pictures else { return (nil, nil) }
    return ((entry.snapshot ?? product).images?.count, files.count)
  }

  /// Returns the fields as a cell.
  ///
  /// The ID of the thumbnail is only of interest where it was changed.
  private static func record(_ fields: ProductValues, of entry: JournalEntry, _ pictures: Int?) -> Table.Cell {
    let currency = fields.currency ?? entry.change?.product?.currency ?? entry.snapshot?.currency
    var entries = fields.assignedFields.filter { entry.action == .patch || $0 != .thumbnail }.map { field in
      Table.LabelledValue(field.rawValue, Table.Cell(fields[field], in: currency))
    }
    if let pictures { entries.append(.init("images", .number(pictures))) }
    return .record(entries)
  }
}

extension JournalEntry {
  /// The name of the product when the write was decided, as far as the log has it.
  var productName: String? { change?.name ?? snapshot?.name ?? before?.name ?? after?.name }
}

extension ChangeActor {
  /// The actor in words; in data it is the English text, which is also how it is stored.
  var words: LocalizedText {
    switch self {
    case .person: LocalizedText("person", ko: "사람")
    case .script(let name): LocalizedText("script \(.foreign(name))", ko: "스크립트 \(.foreign(name))")
    case .line: LocalizedText("line", ko: "명령줄")
    case .timer: LocalizedText("timer", ko: "예약 실행")
    case .agent(let name): LocalizedText("agent \(.foreign(name))", ko: "에이전트 \(.foreign(name))")
    }
  }
}

/// The columns for `log where EXPR`: those of a row, and nested ones such as `before.price` and `after.stock`.
package enum LogColumns {
  static let kinds: [String: ColumnKind] = {
    var kinds: [String: ColumnKind] = [
      "n": .number, "time": .time, "profile": .text, "action": .text, "product": .number, "batch": .number,
      "before": .text, "after": .text, "outcome": .text, "detail": .text, "note": .text,
      "actor": .text, "approver": .text, "name": .text,
    ]
    for field in ProductField.writable where field != .images {
      for side in ["before", "after"] { kinds["\(side).\(field)"] = kind(field) }
    }
    return kinds
  }()

  /// Returns the entries that match a condition, or all without one.
  ///
  /// - Throws: `ParseError` for a value that can't be compared.
  static func matching(_ condition: Condition?, in entries: [JournalEntry]) throws -> [JournalEntry] {
    guard let condition else { return entries }
    var error: ParseError?
    let found = entries.filter { entry in condition.holds(keeping: &error) { value($0, of: entry) } }
    if let error { throw error }
    return found
  }

  /// Returns the value of a column as text for conditions, or `nil` if the entry has none.
  ///
  /// Its time is that of the clock of this machine; see `Condition.resolvedOnLocalClock`.
  package static func value(_ name: String, of entry: JournalEntry) -> String? {
    switch name {
    case "n": return String(entry.id)
    case "time": return entry.time.local.description
    case "profile": return entry.profile
    case "action": return entry.action.rawValue
    case "product": return entry.product.map { String($0) }
    case "batch": return entry.batch.map { String($0) }
    case "before": return entry.before.map(words)
    case "after": return entry.after.map(words)
    case "outcome": return entry.status.rawValue
    case "detail": return entry.detail?.english
    case "note": return entry.note
    case "actor": return entry.actor?.description
    case "approver": return entry.approver
    case "name": return entry.productName
    case _ where name.hasPrefix("before."): return part(name.dropFirst(7), of: entry.before)
    case _ where name.hasPrefix("after."): return part(name.dropFirst(6), of: entry.after)
    default: return nil
    }
  }

  private static func words(_ fields: ProductValues) -> String {
    fields.assignedFields.map { "\($0) \(fields[$0]?.description ?? "")" }.joined(separator: ", ")
  }

  private static func part(_ name: Substring, of fields: ProductValues?) -> String? {
    guard let field = ProductField(rawValue: String(name)) else { return nil }
    return fields?[field]?.description
  }

  private static func kind(_ field: ProductField) -> ColumnKind {
    switch field.valueType {
    case .number, .amount, .pictures: .number
    case .timestamp: .time
    // The log has the id of the thumbnail.
    case .text: field == .thumbnail ? .number : .text
    }
  }
}

/// One entry of the log with its states and its exchanges.
struct EntryDetailReport {
  let journal: Journal

  func report(_ number: Int) throws -> Report {
    guard let entry = try journal.entry(number) else { throw EntryDetailReport.missing(number) }
    let exchanges = try journal.exchanges(of: number)
    var table = LogTable.of([entry], isSingle: true)
    table.columns.append(.init("duration", LocalizedText("duration", ko: "소요 시간")))
    table.rows[0].append(exchanges.isEmpty ? .none : .text(milliseconds(exchanges.map(\.duration).reduce(0, &+))))
    table.columns.append(.init("approver", LocalizedText("approved by", ko: "승인한 사람")))
    table.rows[0].append(entry.approver.map { .text($0) } ?? .none)
    return .group(
      [.rows(table), .rows(try events(number))] + exchanges.map { .drawing(StoredExchangeReport($0).drawing) })
  }

  static func missing(_ number: Int) -> CommandError {
    CommandError(.refused, .failure("There is no log entry \(number).", ko: "로그 \(number)번이 없습니다."))
  }

  private func events(_ number: Int) throws -> Table {
    let rows = try journal.events(of: number).map { event -> [Table.Cell] in
      [
        .text(event.time.description), .number(event.attempt), .text(event.state),
        event.evidence.map { .localized($0.wording) } ?? .none,
      ]
    }
    return Table(
      [
        .init("time", LocalizedText("time", ko: "시각")),
        .init("attempt", LocalizedText("attempt", ko: "시도"), isNumber: true),
        .init("state", LocalizedText("state", ko: "상태")), .init("evidence", LocalizedText("evidence", ko: "근거")),
      ], rows: rows)
  }

  private func milliseconds(_ micros: Int) -> String { StoredExchangeReport.milliseconds(micros) }
}
