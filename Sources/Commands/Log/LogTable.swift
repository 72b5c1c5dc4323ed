import Catalog
import MarketOperations
import Presentation
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
  /// - Parameter options: those of the terminal.
  static func of(_ entries: [JournalEntry], isSingle: Bool, now: Int64, _ options: RenderOptions) -> Table {
    var table = of(entries, isSingle: isSingle)
    if !entries.isEmpty { table.onTerminal = LogRows.table(entries.map(brief), now: now, options) }
    return table
  }

  private static func brief(_ entry: JournalEntry) -> LogRows.Row {
    let detail: String? = if case .localized(let words) = detail(entry) { words.english.plain } else { entry.detail }
    return LogRows.Row(
      number: entry.id, time: entry.time, product: entry.product, name: entry.productName, change: entry.change,
      action: entry.action.words, outcome: entry.status.words,
      isDone: !entry.hasInvalidChecksum && [.done, .undone].contains(entry.status), detail: detail, batch: entry.batch,
      profile: entry.profile, note: entry.note, actor: entry.actor?.words)
  }

  private static func row(_ entry: JournalEntry) -> [Table.Cell] {
    [
      .number(entry.id), .timestamp(entry.time), .text(entry.profile), .localized(entry.action.words),
      entry.product.map { .number($0) } ?? .none, entry.batch.map { .number($0) } ?? .none,
      entry.before.map { record($0, pictures(entry).before, isEdit: entry.action == .patch) } ?? .none,
      entry.after.map { record($0, pictures(entry).after, isEdit: entry.action == .patch) } ?? .none,
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
    return entry.detail.map { .localized(PhraseTable.evidence.words($0)) } ?? .none
  }

  /// Returns the number of images before and after an edit that replaces them.
  private static func pictures(_ entry: JournalEntry) -> (before: Int?, after: Int?) {
    guard case .edit(let product, _, let to)? = entry.change, let files = to.pictures else { return (nil, nil) }
    return ((entry.snapshot ?? product).images?.count, files.count)
  }

  /// Returns the fields as a cell.
  ///
  /// The ID of the thumbnail is only of interest where it was changed.
  private static func record(_ fields: ProductValues, _ pictures: Int?, isEdit: Bool) -> Table.Cell {
    var entries = fields.assignedFields.filter { isEdit || $0 != .thumbnail }.map { field in
      Table.LabelledValue(field.rawValue, Table.Cell(fields[field]))
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
  fileprivate var words: LocalizedText {
    switch self {
    case .person: LocalizedText("person", ko: "사람")
    case .script(let name): LocalizedText("script \(.foreign(name))", ko: "스크립트 \(.foreign(name))")
    case .line: LocalizedText("line", ko: "명령줄")
    case .timer: LocalizedText("timer", ko: "예약 실행")
    case .agent(let name): LocalizedText("agent \(.foreign(name))", ko: "에이전트 \(.foreign(name))")
    }
  }
}
