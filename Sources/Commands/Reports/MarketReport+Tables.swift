import Catalog
import MarketOperations
import Presentation
import ShellRuntime
import Text
import WriteJournal

extension MarketReport {
  /// The text for users with the rows for data formats, and the document for workbooks and pages.
  func figure(_ options: RenderOptions) -> Figure {
    let parts = parts
    var lines: [[Figure.Run]] = [[.init(title[options.language].plain, .bold)]]
    func add(_ texts: [LocalizedText]) {
      for text in texts { lines += Figure.paragraph(text[options.language], width: options.width ?? 80, options) }
    }
    add(introduction)
    for part in parts {
      lines += [[], [.init(part.name[options.language].plain, .bold)]]
      add(part.remarks)
      lines += rows(of: part.brief, options).map { [.init($0)] }
    }
    var figure = Figure(lines, table: data)
    figure.document = Document(
      title, remarks: introduction, headings: .titles,
      parts.map { Document.Section($0.name, $0.table, remarks: $0.remarks, totals: $0.totals) })
    return figure
  }

  /// Returns the lines of a table that fits the width; long tables end with the number of further rows.
  private func rows(of table: Table, _ options: RenderOptions) -> [String] {
    var options = options
    options.colors = false
    options.isTerminal = true
    var shown = table
    shown.rows = Array(table.rows.prefix(MarketReport.maximumRows))
    let text = TerminalRenderer().render(.rows(shown), options)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    let rest = table.rows.count - shown.rows.count
    if rest > 0 {
      lines.append(
        LocalizedText(
          "… \(rest) more; \(.command("to FILE.xlsx")) has all of them.",
          ko: "… \(rest)개 더 있습니다. \(.command("to FILE.xlsx"), .with) 모두 저장합니다.")[options.language].plain)
    }
    return lines
  }

  /// The number of rows of each table in the text.
  private static let maximumRows = 20

  private var title: LocalizedText {
    let words = span.words(readAt)
    let name = name.map { "\($0): " } ?? ""
    return LocalizedText(
      "Report \(.foreign(name))\(words.english)", ko: "보고서 \(.foreign(name))\(words.korean)")
  }

  private var introduction: [LocalizedText] {
    let count = NumberFormatting.grouped(products.count)
    let isOne = products.count == 1
    let time = LocalTime(readAt).description
    var texts = [
      isMine
        ? LocalizedText(
          "Profile \(.value(profile)): \(count) \(isOne ? StyledText("product") : "products") of yours, as read \(time).",
          ko: "프로필 \(.value(profile)): 내 상품 \(count)개, \(time)에 읽음.")
        : LocalizedText(
          "Profile \(.value(profile)): \(count) \(isOne ? StyledText("product") : "products") of the market, as read \(time).",
          ko: "프로필 \(.value(profile)): 마켓의 상품 \(count)개, \(time)에 읽음.")
    ]
    if !isComplete {
      texts.append(
        LocalizedText(
          "The read may have missed products: counts, sums and sold-out products are not certain.",
          ko: "읽지 못한 상품이 있을 수 있어 개수, 합계, 품절 상품이 확실하지 않습니다."))
    }
    return texts
  }

  // MARK: Parts

  /// A part of the report: its table, and the one that the text shows.
  struct Part {
    var name: LocalizedText
    var remarks: [LocalizedText] = []
    var table: Table
    var brief: Table
    /// The number of rows at the end of the table that are sums.
    var totals = 0

    init(_ name: LocalizedText, remarks: [LocalizedText] = [], _ table: Table, brief: Table? = nil) {
      (self.name, self.remarks, self.table, self.brief) = (name, remarks, table, brief ?? table)
    }
  }

  /// The parts with something to tell: an empty market has no value of the stock.
  var parts: [Part] {
    ([changesPart, differencesPart, salesPart, soldOutPart, soldPart, valuesPart] + (productsPart.map { [$0] } ?? []))
      .filter { !$0.remarks.isEmpty || !$0.table.rows.isEmpty }
  }

  private static func time(_ moment: Timestamp?) -> Table.Cell { moment.map { .timestamp($0) } ?? .none }

  private static func time(_ seconds: Int64?) -> Table.Cell {
    time(seconds.map { Timestamp(seconds: $0, isUTC: true) })
  }

  private static func text(_ text: String?) -> Table.Cell { text.map { .text($0) } ?? .none }

  private static func run(_ entry: JournalEntry) -> Table.Cell {
    entry.run.map { .text("r\($0)") } ?? .number(entry.id)
  }

  /// A field that a write changed, with its values as far as they are known, or a write without fields.
  private struct FieldChange {
    var entry: JournalEntry
    var field: LocalizedText
    var before = Table.Cell.none
    var after = Table.Cell.none

    static func all(_ entry: JournalEntry) -> [FieldChange] {
      let sent: ProductValues? = if case .edit(_, _, let values)? = entry.change { values } else { nil }
      let after = entry.after
      guard entry.action == .patch, let fields = (after ?? sent)?.assignedFields, !fields.isEmpty else {
        return [FieldChange(entry: entry, field: entry.action.words)]
      }
      let currency = after?.currency ?? entry.change?.product?.currency ?? entry.snapshot?.currency
      return fields.map { field in
        FieldChange(
          entry: entry, field: LocalizedText(StyledText(field.rawValue), ko: field.title.korean),
          before: Table.Cell(entry.before?[field], in: currency), after: Table.Cell(after?[field], in: currency))
      }
    }
  }

  private var changesPart: Part {
    let name = LocalizedText("Changes in the log", ko: "로그에 있는 변경")
    let done = writes.count { $0.status == .done || $0.status == .undone }
    var remarks =
      writes.isEmpty
      ? [LocalizedText("The log of this home has no change in this time.", ko: "이 홈의 로그에 이 기간의 변경이 없습니다.")]
      : [
        LocalizedText(
          "The log of this home has \(writes.count) \(writes.count == 1 ? StyledText("change") : "changes"), \(done) of them done.",
          ko: "이 홈의 로그에 변경이 \(writes.count)건 있고 그중 \(done)건이 적용되었습니다.")
      ]
    if let logRemark { remarks.append(logRemark) }
    let uncertain = writes.count(where: \.isOutOfOrder)
    if uncertain > 0 {
      remarks.append(
        LocalizedText(
          "\(uncertain) of them \(uncertain == 1 ? StyledText("has an earlier time than a change") : "have earlier times than changes") recorded before: a clock was set back, or logs were joined.",
          ko: "그중 \(uncertain)건은 앞서 기록한 변경보다 이른 시각으로 기록되었습니다. 시계를 되돌렸거나 로그를 합친 경우입니다."))
    }
    let open = writes.count(where: \.isUnresolved)
    if open > 0 {
      remarks.append(
        LocalizedText(
          "The outcome of \(open) is not known: \(.command("resume")).", ko: "\(open)건은 결과를 모릅니다: \(.command("resume"))"
        ))
    }
    let table = Table(
      [
        .init("time", LocalizedText("time", ko: "시각")), .init("id", LocalizedText("id", ko: "번호"), isNumber: true),
        .init("name", ProductField.name.title), .init("field", LocalizedText("change", ko: "변경")),
        .init("before", LocalizedText("before", ko: "전")), .init("after", LocalizedText("after", ko: "후")),
        .init("outcome", LocalizedText("outcome", ko: "결과")), .init("by", LocalizedText("by", ko: "변경한 쪽")),
        .init("run", LocalizedText("run", ko: "실행")), .init("note", LocalizedText("note", ko: "메모")),
      ],
      rows: writes.flatMap(FieldChange.all).map { change in
        let entry = change.entry
        return [
          .timestamp(entry.end), entry.product.map { .number($0) } ?? .none,
          MarketReport.text(entry.productName), .localized(change.field), change.before, change.after,
          .localized(entry.status.words), entry.actor.map { .localized($0.words) } ?? .none, MarketReport.run(entry),
          MarketReport.text(entry.note),
        ]
      })
    return Part(name, remarks: remarks, table, brief: runs)
  }

  /// The remark that earlier writes were removed from the log, if they could be of the time that is compared.
  private var logRemark: LocalizedText? {
    guard let logBegins, logBegins.seconds > min(span.start, compared?.from.seconds ?? span.start) else { return nil }
    let time = LocalTime(logBegins).description
    return LocalizedText(
      "The log begins at \(time); earlier changes were removed from it.", ko: "로그는 \(time)부터이고, 그 전의 변경은 지워졌습니다.")
  }

  /// The writes, a row for each actor and note of a run, the newest first.
  private var runs: Table {
    var groups: [[JournalEntry]] = []
    for entry in writes {
      // The lines of a script are one run, and may have other notes; a timer in it is another actor.
      if let last = groups.last?.last, let run = entry.run, last.run == run, last.actor == entry.actor,
        last.note == entry.note
      {
        groups[groups.count - 1].append(entry)
      } else {
        groups.append([entry])
      }
    }
    return Table(
      [
        .init("time", LocalizedText("time", ko: "시각"), minimumWidth: .max),
        .init("run", LocalizedText("run", ko: "실행")),
        .init("by", LocalizedText("by", ko: "변경한 쪽"), minimumWidth: 6),
        .init("products", LocalizedText("products", ko: "상품"), minimumWidth: 12),
        .init("change", LocalizedText("change", ko: "변경"), minimumWidth: 12),
        .init("outcome", LocalizedText("outcome", ko: "결과"), minimumWidth: .max),
        .init("note", LocalizedText("note", ko: "메모"), minimumWidth: 8),
      ],
      rows: groups.reversed().map { group in
        let first = group[0]
        let ids = Set(group.compactMap(\.product))
        let only = [first.product.map(String.init), first.productName].compactMap(\.self).joined(separator: " ")
        let outcomes = MarketReport.distinct(group.map { $0.status.words })
        let fields = MarketReport.distinct(group.flatMap(FieldChange.all).map(\.field))
        return [
          .timestamp(first.end), MarketReport.run(first),
          first.actor.map { .localized($0.words) } ?? .none,
          ids.count > 1
            ? .localized(LocalizedText("\(ids.count) products", ko: "상품 \(ids.count)개"))
            : .text(only.isEmpty ? "-" : only),
          .localized(MarketReport.joined(fields)), .localized(MarketReport.joined(outcomes)),
          MarketReport.text(group.lazy.compactMap(\.note).first),
        ]
      })
  }

  private static func distinct(_ texts: [LocalizedText]) -> [LocalizedText] {
    var seen: Set<LocalizedText> = []
    return texts.filter { seen.insert($0).inserted }
  }

  private static func joined(_ texts: [LocalizedText]) -> LocalizedText {
    LocalizedText(
      "\(.foreign(texts.map(\.english.plain).joined(separator: ", ")))",
      ko: "\(.foreign(texts.map(\.korean.plain).joined(separator: ", ")))")
  }

  private var differencesPart: Part {
    let name = LocalizedText("Changed by others", ko: "다른 쪽의 변경")
    let columns: [Table.Column] = [
      .init("id", LocalizedText("id", ko: "번호"), isNumber: true),
      .init("name", ProductField.name.title, minimumWidth: 12), .init("field", LocalizedText("change", ko: "변경")),
      .init("before", LocalizedText("before", ko: "전"), minimumWidth: 8),
      .init("after", LocalizedText("after", ko: "후"), minimumWidth: 8),
    ]
    guard let compared else { return Part(name, remarks: [incomparable.words], Table(columns, rows: [])) }
    let (from, to) = (LocalTime(compared.from).description, LocalTime(compared.to).description)
    let unknown =
      unknownWrites == 0 || differences.isEmpty
      ? []
      : [
        LocalizedText(
          "The log also has \(unknownWrites) \(unknownWrites == 1 ? StyledText("write") : "writes") of this home whose effect is not known.",
          ko: "로그에는 이 홈에서 보냈지만 결과를 모르는 요청도 \(unknownWrites)건 있습니다.")
      ]
    return Part(
      name,
      remarks: [
        differences.isEmpty
          ? LocalizedText(
            "Between the reads of \(from) and \(to) nothing but stock changed that is not in the log.",
            ko: "\(from, .with) \(to)에 읽은 것을 비교하면, 재고 말고는 로그에 없는 변경이 없습니다.")
          : LocalizedText(
            "Seen between the reads of \(from) and \(to), and not in the log of this home.",
            ko: "\(from, .with) \(to)에 읽은 것을 비교한 결과이며, 이 홈의 로그에는 없습니다.")
      ] + (logRemark.map { [$0] } ?? []) + unknown,
      Table(
        columns,
        rows: differences.map { one in
          let product = one.after ?? one.before
          return [
            product.map { .number($0.id) } ?? .none, Table.Cell(product?[.name]),
            .localized(Table.localized(one.wordForSellers)),
            one.field != nil ? Table.Cell(one.valueBefore, in: one.before?.currency) : .none,
            one.field != nil ? Table.Cell(one.valueAfter, in: one.after?.currency) : .none,
          ]
        }))
  }

  private var salesPart: Part {
    Part(
      LocalizedText("Sales", ko: "할인"),
      remarks: [
        sales.isEmpty
          ? LocalizedText(
            "No sale of this home began, ended or is running.", ko: "이 홈에 시작하거나 끝났거나 진행 중인 할인이 없습니다.")
          : LocalizedText("The times are those that were planned.", ko: "시각은 계획한 시각입니다.")
      ]
        + (unreadableSales == 0
          ? []
          : [
            LocalizedText(
              "\(unreadableSales) \(unreadableSales == 1 ? StyledText("file") : "files") of sales cannot be read: \(.command("sale list")).",
              ko: "읽을 수 없는 할인 파일이 \(unreadableSales)개 있습니다: \(.command("sale list"))")
          ]),
      Table(
        [
          .init("sale", LocalizedText("sale", ko: "할인"), isNumber: true),
          .init("percent", LocalizedText("percent", ko: "할인율"), isNumber: true),
          .init("products", LocalizedText("products", ko: "상품 수"), isNumber: true),
          .init("begins", LocalizedText("begins", ko: "시작")), .init("ends", LocalizedText("ends", ko: "끝")),
          .init("state", LocalizedText("state", ko: "상태"), minimumWidth: .max),
        ],
        rows: sales.map { sale in
          [
            .number(sale.number), sale.percent.map { .decimal($0) } ?? .none, .number(sale.products),
            MarketReport.time(sale.begins), MarketReport.time(sale.ends), .localized(sale.state.words),
          ]
        }))
  }

  private var readingsRemark: LocalizedText {
    guard isComplete else {
      return LocalizedText(
        "The read may have missed products, so nothing is said about how the stock sells.",
        ko: "읽지 못한 상품이 있을 수 있어 판매 속도는 계산하지 않았습니다.")
    }
    guard let firstVersion else {
      return LocalizedText(
        "No history of the stock is saved, so nothing is said about how it sells.",
        ko: "저장된 재고 기록이 없어 판매 속도는 알 수 없습니다.")
    }
    let since = LocalTime(firstVersion).description
    return LocalizedText(
      "From \(versions) saved \(versions == 1 ? StyledText("reading") : "readings") since \(since), and the one of now. A decrease that this home did not write counts as sold.",
      ko: "\(since)부터 저장된 \(versions)번의 기록과 지금 읽은 값에 따른 것입니다. 이 홈에서 쓰지 않은 감소는 판매로 봅니다.")
  }

  private var soldOutPart: Part {
    let count = soldOut.count
    let without = products.count { $0.stock == nil }
    var remarks: [LocalizedText] = []
    if count > 0 {
      remarks.append(
        LocalizedText(
          "\(count) \(count == 1 ? StyledText("product is") : "products are") sold out as read.",
          ko: "읽은 시점에 상품 \(count)개가 품절입니다."))
    } else if without < products.count || products.isEmpty {
      remarks.append(LocalizedText("Nothing is sold out.", ko: "품절된 상품이 없습니다."))
    }
    if without > 0 {
      remarks.append(
        LocalizedText(
          "The market gives no stock for \(without) \(without == 1 ? StyledText("product") : "products").",
          ko: "상품 \(without)개는 마켓이 재고를 알려 주지 않습니다."))
    }
    return Part(
      LocalizedText("Sold out", ko: "품절"), remarks: remarks,
      Table(
        [
          .init("id", LocalizedText("id", ko: "번호"), isNumber: true),
          .init("name", ProductField.name.title, minimumWidth: 12),
          .init("last_stock", LocalizedText("last stock", ko: "마지막 재고"), isNumber: true),
          .init("last_seen", LocalizedText("last in stock", ko: "재고를 본 시각")),
        ],
        rows: soldOut.map { one in
          [
            .number(one.product.id), MarketReport.text(one.product.name),
            one.lastInStock.map { .number($0.stock) } ?? .none, MarketReport.time(one.lastInStock?.time),
          ]
        }))
  }

  private var soldPart: Part {
    var remarks = [readingsRemark]
    if firstVersion != nil, sold.isEmpty {
      remarks.append(
        LocalizedText("No stock decreased by sales.", ko: "판매로 재고가 줄어든 상품이 없습니다."))
    } else if !sold.isEmpty, sold.allSatisfy({ $0.forecast?.gone == nil }) {
      remarks.append(
        LocalizedText(
          "The readings are of less than a day, or the date is far away: no date is computed.",
          ko: "기록이 하루에 못 미치거나 날짜가 너무 멀어 예상 날짜를 계산하지 않았습니다."))
    }
    return Part(
      LocalizedText("Running out", ko: "곧 품절"), remarks: remarks,
      Table(
        [
          .init("id", LocalizedText("id", ko: "번호"), isNumber: true),
          .init("name", ProductField.name.title, minimumWidth: 12),
          .init("stock", ProductField.stock.title, isNumber: true),
          .init("sold", LocalizedText("sold", ko: "판매"), isNumber: true),
          .init("readings", LocalizedText("readings", ko: "기록"), isNumber: true, dropOrder: 2),
          .init("since", LocalizedText("since", ko: "기록 시작"), dropOrder: 1),
          .init("gone", LocalizedText("gone about", ko: "예상 품절")),
        ],
        rows: sold.map { one in
          [
            .number(one.product.id), MarketReport.text(one.product.name),
            one.product.stock.map { .number($0) } ?? .none,
            one.forecast.map { .number($0.sold) } ?? .none, one.forecast.map { .number($0.readings) } ?? .none,
            MarketReport.time(one.forecast?.first.time), MarketReport.time(one.forecast?.gone),
          ]
        }))
  }

  private var valuesPart: Part {
    var remarks: [LocalizedText] = []
    if totals.leftOut > 0 {
      remarks.append(
        LocalizedText(
          "\(totals.leftOut) without a price or stock \(totals.leftOut == 1 ? StyledText("is") : "are") not in the sums.",
          ko: "정가나 재고가 없는 상품 \(totals.leftOut)개는 합계에 없습니다."))
    }
    var table = totals.table()
    table.columns.insert(.init("time", LocalizedText("as of", ko: "기준"), minimumWidth: .max), at: 0)
    table.rows = table.rows.map { [.timestamp(readAt)] + $0 }
    if let earlier {
      table.rows = earlier.totals.table().rows.map { [.timestamp(earlier.time)] + $0 } + table.rows
    }
    return Part(LocalizedText("Value of the stock", ko: "재고 금액"), remarks: remarks, table)
  }

  /// The products, with the sum of their stock at the end if it is one of the columns.
  private var productsPart: Part? {
    guard let columns else { return nil }
    var rows = products.map { product in columns.map { Table.Cell(cellOf: product, $0) } }
    let hasTotal = columns.contains(.stock) && !products.isEmpty
    if hasTotal {
      let stock = products.reduce(Amount.zero) { $0 + Amount($1.stock ?? 0) }
      rows.append(
        columns.enumerated().map { index, field in
          field == .stock ? .amount(stock) : index == 0 ? .localized(ProductTotals.name) : .none
        })
    }
    var part = Part(
      LocalizedText("Products", ko: "상품 목록"),
      Table(
        columns.map {
          Table.Column($0.rawValue, $0.title, isNumber: $0.valueType == .number || $0.valueType == .amount)
        },
        rows: rows))
    part.totals = hasTotal ? 1 : 0
    return part
  }

  // MARK: Data

  /// All parts as rows of one table.
  var data: Table {
    let keys = [
      "section", "time", "id", "name", "field", "before", "after", "outcome", "by", "run", "note", "since", "until",
      "readings",
    ]
    let numbers: Set = ["id", "readings"]
    func row(_ section: String, _ cells: [String: Table.Cell]) -> [Table.Cell] {
      keys.map { $0 == "section" ? .text(section) : cells[$0] ?? .none }
    }
    func record(_ part: Part, as section: String, _ more: [String: Table.Cell] = [:]) -> [[Table.Cell]] {
      part.table.rows.map { cells in
        row(section, Dictionary(zip(part.table.columns.map(\.key), cells)) { first, _ in first }.merging(more) { $1 })
      }
    }
    let read: [String: Table.Cell] = ["time": .timestamp(readAt)]
    var rows = record(changesPart, as: "change")
    rows += record(
      differencesPart, as: "others",
      ["since": MarketReport.time(compared?.from), "time": MarketReport.time(compared?.to)])
    rows += sales.map { sale -> [Table.Cell] in
      var cells: [String: Table.Cell] = ["id": .number(sale.number), "field": .text("percent")]
      cells["after"] = sale.percent.map { .decimal($0) }
      cells["since"] = MarketReport.time(sale.begins)
      cells["until"] = MarketReport.time(sale.ends)
      cells["outcome"] = .localized(sale.state.words)
      return row("sale", cells)
    }
    rows += (soldOut + sold).map { one -> [Table.Cell] in
      let isGone = one.product.stock == 0
      let first: StockForecast.Reading? = isGone ? one.lastInStock : one.forecast?.first
      var cells = read
      cells["id"] = .number(one.product.id)
      cells["name"] = MarketReport.text(one.product.name)
      cells["field"] = .text("stock")
      cells["before"] = first.map { .number($0.stock) }
      cells["after"] = one.product.stock.map { .number($0) }
      cells["since"] = MarketReport.time(first?.time)
      cells["until"] = isGone ? nil : MarketReport.time(one.forecast?.gone)
      cells["readings"] = one.forecast.map { .number($0.readings) }
      return row(isGone ? "sold-out" : "running-out", cells)
    }
    rows += values(row)
    if let columns {
      rows += products.flatMap { product in
        columns.filter { $0 != .id && $0 != .name }.map { field -> [Table.Cell] in
          var cells = read
          cells["id"] = .number(product.id)
          cells["name"] = MarketReport.text(product.name)
          cells["field"] = .text(field.rawValue)
          cells["after"] = Table.Cell(cellOf: product, field)
          return row("product", cells)
        }
      }
    }
    return Table(
      keys.map { Table.Column($0, LocalizedText(StyledText($0), ko: StyledText($0)), isNumber: numbers.contains($0)) },
      rows: rows)
  }

  /// The sums, a row for each of a currency, with those of the earlier version.
  private func values(_ row: (String, [String: Table.Cell]) -> [Table.Cell]) -> [[Table.Cell]] {
    func measures(_ totals: ProductTotals?) -> [[String]: Table.Cell] {
      guard let table = totals?.table() else { return [:] }
      var found: [[String]: Table.Cell] = [:]
      for cells in table.rows {
        guard case .text(let currency) = cells[0] else { continue }
        for (column, cell) in zip(table.columns, cells).dropFirst() { found[[currency, column.key]] = cell }
      }
      return found
    }
    let (before, after) = (measures(earlier?.totals), measures(totals))
    return Set(before.keys).union(after.keys).sorted { $0.joined(separator: "/") < $1.joined(separator: "/") }.map {
      key in
      row(
        "value",
        [
          "time": .timestamp(readAt), "name": .text(key[0]), "field": .text(key[1]), "before": before[key] ?? .none,
          "after": after[key] ?? .none, "since": MarketReport.time(earlier?.time),
        ])
    }
  }
}

extension MarketReport.Sale.State {
  fileprivate var words: LocalizedText {
    switch self {
    case .planned: LocalizedText("planned", ko: "예정")
    case .running: LocalizedText("running", ko: "진행 중")
    case .overdue: LocalizedText("overdue: due apply", ko: "기한 지남: due apply")
    case .ended: LocalizedText("ended", ko: "끝남")
    case .canceled: LocalizedText("canceled", ko: "취소됨")
    }
  }
}

extension MarketReport.Incomparable {
  fileprivate var words: LocalizedText {
    switch self {
    case .replaying:
      LocalizedText(
        "No saved versions are available while replaying, so it is not known what others changed.",
        ko: "녹화를 재생하는 동안에는 저장본이 없어 다른 쪽에서 바꾼 것은 알 수 없습니다.")
    case .noVersion:
      LocalizedText(
        "No complete version is saved from then, so it is not known what others changed. Run \(.command("snapshot")) regularly.",
        ko: "그때의 온전한 저장본이 없어 다른 쪽에서 바꾼 것은 알 수 없습니다. \(.command("snapshot"), .object) 자주 실행하세요.")
    case .noLaterVersion:
      LocalizedText(
        "Only one complete version is saved up to the end of this time, so it is not known what others changed. Run \(.command("snapshot")) regularly.",
        ko: "이 기간이 끝날 때까지 온전한 저장본이 하나뿐이라 다른 쪽에서 바꾼 것은 알 수 없습니다. \(.command("snapshot"), .object) 자주 실행하세요.")
    case .incompleteRead:
      LocalizedText(
        "The read may have missed products, so it is not known what others changed.",
        ko: "읽지 못한 상품이 있을 수 있어 다른 쪽에서 바꾼 것은 알 수 없습니다.")
    }
  }
}
