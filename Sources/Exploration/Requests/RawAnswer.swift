import Catalog
import Engine
import Foundation
import Language
import Networking
import OrderedCollections
import Platform
import Presentation
import Text

/// An answer as it came: status and headers said beside the data, the body as data; for a file its very bytes.
struct RawAnswer {
  private let reply: Reply
  private let took: Duration
  private let masker: Masker
  private let line: RawLine
  private let context: Context
  /// The body with its secrets masked; nil for one that is no text.
  private let text: String?

  init(_ reply: Reply, to request: Request, took: Duration, _ line: RawLine, _ context: Context) {
    self.reply = reply
    self.took = took
    self.line = line
    self.context = context
    masker = Masker(request.secrets)
    text = RawAnswer.text(of: reply).map(masker.mask)
  }

  /// A status of 400 and more ends the command with 1, as a refusal does.
  func report(_ session: inout Session, _ execution: inout Execution) throws -> Report {
    if reply.status >= 400 { execution.ending = .refused }
    session.answer = Answer(
      status: reply.status, took: took, headers: reply.headers.map { Header($0.name, masker.mask($0.value)) },
      json: parsed, text: text ?? "")
    if let file = line.clauses.file, line.clauses.format == nil {
      head(session)
      return try save(to: file)
    }
    let format = line.clauses.format ?? session.settings.format
    if line.clauses.format == .table, let rows = parsed.flatMap({ AnswerTable($0) }) { return .rows(rows.table) }
    if format == .table { head(session) }
    if format == .table, isBinary { return .message(binary) }
    let drawn = lines
    if drawn.isFolded {
      context.say(
        .note(
          "Folded; \(.command("| less")) has all of it, and \(.command("_.length")), \(.command("_[0]")) parts of it.",
          ko: "접어서 보입니다. 전체는 \(.command("| less")), 일부는 \(.command("_.length")), \(.command("_[0]"))으로 봅니다."), session)
    }
    return .drawing(Drawing(drawn.lines, table: table, json: json))
  }

  private func head(_ session: Session) {
    // What is taken as a value is not shown.
    if context.console is MutedConsole { return }
    let headers = reply.headers.map { "\($0.name): \($0.value)" }
    let text = (["HTTP/1.1 \(reply.status)"] + headers).map { Sanitizer.clean(masker.mask($0), limit: 2_000) + "\n" }
    context.console.say(text.joined())
  }

  private func save(to file: String) throws -> Report {
    try UserFile(file, context).write(reply.body)
    return .message(
      .success(
        "Written to \(.value(file)), \(HumanNumber.bytes(reply.body.count)).",
        ko: "\(.value(file))에 저장했습니다(\(HumanNumber.bytes(reply.body.count)))."))
  }

  private static func text(of reply: Reply) -> String? {
    reply.body.contains(0) ? nil : String(validating: reply.body, as: UTF8.self)
  }

  private var parsed: JSON? {
    guard let json = try? JSON(parsing: reply.body) else { return nil }
    if case .odd = json { return nil }
    return json.masked(by: masker)
  }

  private var isBinary: Bool { !reply.body.isEmpty && text == nil }

  private var binary: Message {
    let type = reply.header("Content-Type") ?? "application/octet-stream"
    return Message.note(
      "The body is \(HumanNumber.bytes(reply.body.count)) of \(.foreign(type)).",
      ko: "본문: \(.foreign(type)), \(HumanNumber.bytes(reply.body.count))"
    ).next("\(.command("to FILE")) saves it.", ko: "\(.command("to 파일"))로 저장합니다.")
  }

  /// The body as it is drawn, and whether some of it was left out.
  private var lines: (lines: [[Drawing.Stroke]], isFolded: Bool) {
    guard !reply.body.isEmpty, let text else { return ([], false) }
    guard let parsed else {
      let lines = text.hasSuffix("\n") ? text.dropLast() : text[...]
      return (
        lines.split(separator: "\n", omittingEmptySubsequences: false).map {
          [Drawing.Stroke(Sanitizer.clean(String($0)))]
        }, false
      )
    }
    let isForEyes = context.console.outputIsTerminal && !line.clauses.areAway
    let json = PrettyJSON(parsed, rows: isForEyes ? context.console.height.map { $0 - 3 } : nil)
    return (
      json.lines.map { line in
        line.map { Drawing.Stroke(Sanitizer.clean($0.text, limit: 8 << 20), $0.ink) }
      }, json.isFolded
    )
  }

  private var json: String {
    let headers = JSONObject(reply.headers.map { ($0.name, .string(masker.mask($0.value))) })
    let body: JSON = reply.body.isEmpty ? .null : parsed ?? text.map { .string($0) } ?? .null
    return JSON.unseenEscaped(
      JSON.object([
        ("status", .int(reply.status)), ("headers", .object(headers)), ("bytes", .int(reply.body.count)),
        ("body", body),
      ]).text)
  }

  private var table: Table {
    Table(
      [
        .init("status", LocalizedText("status", ko: "상태"), isNumber: true),
        .init("type", LocalizedText("type", ko: "종류")),
        .init("bytes", LocalizedText("bytes", ko: "바이트"), isNumber: true),
        .init("body", LocalizedText("body", ko: "본문")),
      ],
      rows: [
        [
          .number(reply.status), reply.header("Content-Type").map { .text($0) } ?? .none, .number(reply.body.count),
          text.map { .text($0) } ?? .none,
        ]
      ], isSingle: true)
  }
}

/// A list of objects as a table, for `as table`: the answer itself, or the first member of it that is one.
struct AnswerTable {
  let table: Table

  /// Wider tables help nobody.
  private static let mostColumns = 40

  init?(_ json: JSON) {
    guard let rows = AnswerTable.rows(of: json) else { return nil }
    var keys: OrderedSet<String> = []
    for row in rows { keys.formUnion(row.keys) }
    let columns = keys.prefix(AnswerTable.mostColumns).map { key in
      Table.Column(
        key, LocalizedText(same: "\(.foreign(key))"),
        isNumber: rows.allSatisfy { row in
          switch row[key] {
          case .number, .null, nil: true
          case .bool, .string, .array, .object, .odd: false
          }
        })
    }
    table = Table(columns, rows: rows.map { row in columns.map { AnswerTable.cell(row[$0.key]) } })
  }

  private static func rows(of json: JSON) -> [JSONObject]? {
    if let elements = json.array {
      let objects = elements.compactMap(\.object)
      return objects.isEmpty || objects.count < elements.count ? nil : objects
    }
    guard let object = json.object else { return nil }
    return object.keys.lazy.compactMap { key in object[key]?.array.flatMap { rows(of: .array($0)) } }.first
  }

  private static func cell(_ json: JSON?) -> Table.Cell {
    switch json {
    case .null, nil: .none
    case .bool(let flag): .flag(flag)
    case .number(let number): number.int.map { .number($0) } ?? .text(number.literal)
    case .string(let text): .text(text)
    case .array, .object, .odd: .text(json?.text ?? "")
    }
  }
}
