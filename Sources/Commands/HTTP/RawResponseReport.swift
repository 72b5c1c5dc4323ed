import CommandLanguage
import Foundation
import Networking
import OrderedCollections
import Platform
import Presentation
import ShellRuntime
import Text

/// A response as it was received: status and headers as messages, the body as data, and for a file its exact bytes.
struct RawResponseReport {
  private let response: Response
  private let request: Request
  private let base: URL
  private let took: Duration
  private let redirects: Int
  private let masker: SecretRedactor
  private let line: RawRequestArguments
  private let context: CommandContext
  /// The body with its secrets masked, or `nil` if it isn't text.
  private let text: String?

  init(
    _ response: Response, to request: Request, at base: URL, took: Duration, redirects: Int = 0,
    line: RawRequestArguments,
    context: CommandContext
  ) {
    self.response = response
    self.request = request
    self.base = base
    self.took = took
    self.redirects = redirects
    self.line = line
    self.context = context
    masker = SecretRedactor(request.secrets)
    text = RawResponseReport.text(of: response).map(masker.mask)
  }

  private var output: CurlCommandParser.Output { line.pasted?.output ?? CurlCommandParser.Output() }
  private var address: String { masker.mask((try? request.url(at: base)) ?? base.absoluteString + request.target) }

  /// Reports the response.
  ///
  /// A status of 400 or above sets the exit status of a rejection.
  ///
  /// If the output isn't a terminal, it is exactly the body.
  ///
  /// - Parameter scope: The scope of the command.
  /// - Returns: The report.
  /// - Throws: `FileError` for a file that can't be written; `CommandError` for a binary body on a terminal.
  func report(in scope: inout CommandScope) throws -> CommandResult {
    scope.session.last.response = ResponseValue(
      request: "\(request.method.rawValue) \(address)", status: response.status, took: took,
      headers: response.headers.map { HeaderField($0.name, masker.mask($0.value)) }, json: parsed, text: text ?? "")
    let status: ExitStatus = response.status >= 400 ? .refused : .success
    if let file = line.clauses.file, line.clauses.format == nil {
      printHeaders(scope.session)
      return CommandResult(.group([try save(to: file), writtenOut].compactMap(\.self)), status: status)
    }
    let format = line.clauses.format ?? scope.session.settings.format
    if line.clauses.format == .table, let rows = parsed.flatMap({ JSONTable($0) }) {
      return CommandResult(.rows(rows.table), status: status)
    }
    if format == .table { printHeaders(scope.session) }
    if isInteractive, format == .table, isBinary, !(scope.context.program.console is MutedConsole) {
      var result = CommandResult(.message(binary), status: .refused)
      result.reason = binary
      return result
    }
    let drawn = bodyLines
    var drawing = Figure(drawn.lines, table: table, json: json)
    drawing.exactBytes = isInteractive ? nil : exactBytes
    var result = CommandResult(.drawing(drawing), status: status)
    // Below the body, where the end of a long one is seen.
    if drawn.isFolded { result.closingMessages.append(folded) }
    return result
  }

  /// A Boolean value that indicates whether the output goes to a terminal.
  private var isInteractive: Bool { context.program.console.outputIsTerminal && !line.clauses.isRedirected }

  private var folded: Message {
    let part = parsed?.object?.keys.first { ValuePath("." + $0) != nil }.map { "_." + $0 } ?? "_[0]"
    return .note(
      "Shortened. Use \(.command("| less")) to see everything, or \(.command("_.length")) and \(.command(part)) to see parts.",
      ko: "일부만 표시했습니다. 전체는 \(.command("| less")), 일부는 \(.command("_.length"))나 \(.command(part), .toward) 볼 수 있습니다.")
  }

  /// The text of `-w`.
  private var writtenText: String? {
    output.writeOut?.text(for: response, to: request, at: address, redirects: redirects, took: took)
  }

  private var writtenOut: Report? {
    writtenText.map { text in
      var drawing = Figure(RawResponseReport.drawn(text), table: table, json: json)
      drawing.exactBytes = isInteractive ? nil : Data(text.utf8)
      return .drawing(drawing)
    }
  }

  private static func drawn(_ text: String) -> [[Figure.Run]] {
    let text = text.hasSuffix("\n") ? text.dropLast() : text[...]
    return text.split(separator: "\n", omittingEmptySubsequences: false).map {
      [Figure.Run(Sanitizer.sanitized(String($0), limit: 8 << 20))]
    }
  }

  private var headText: String {
    let fields = response.headers.map { "\($0.name): \($0.value)" }
    return masker.mask((["HTTP/1.1 " + HTTPStatus.described(response.status)] + fields).joined(separator: "\r\n"))
      + "\r\n\r\n"
  }

  private var showsBody: Bool { !(output.hidesErrors && response.status >= 400) }

  /// The received body, with the request's secrets masked, and the additional output of a pasted line before and after
  /// it.
  private var exactBytes: Data {
    Data((output.includesHead ? headText : "").utf8) + (showsBody ? masker.mask(bytes: response.body) : Data())
      + Data((writtenText ?? "").utf8)
  }

  private func printHeaders(_ session: Session) {
    // A response that becomes a value isn't shown.
    if context.program.console is MutedConsole { return }
    if output.isVerbose, let exchange = context.stores.recording.log.last {
      let text = TraceRenderer(exchange, hiding: request.secrets).render(
        CommandScope(session, context).messageOptions, showsBodies: false)
      return context.program.console.writeMessage(text)
    }
    if output.includesHead || output.writeOut != nil { return }
    let headers = response.headers.map { "\($0.name): \($0.value)" }
    let text = (["HTTP/1.1 \(response.status)"] + headers).map {
      Sanitizer.sanitized(masker.mask($0), limit: 2_000) + "\n"
    }
    context.program.console.writeMessage(text.joined())
  }

  private func save(to file: String) throws -> Report? {
    if file == "/dev/null" { return nil }
    try ProtectedOutputFile(file, context).write(response.body)
    return .message(
      .success(
        "Saved to \(.value(file)) (\(NumberFormatting.bytes(response.body.count))).",
        ko: "\(.value(file))에 저장했습니다(\(NumberFormatting.bytes(response.body.count)))."))
  }

  private static func text(of response: Response) -> String? {
    let body = response.inUTF8.body
    return body.contains(0) ? nil : String(validating: body, as: UTF8.self)
  }

  private var parsed: JSON? {
    guard let json = try? JSON(parsing: response.inUTF8.body) else { return nil }
    if case .invalidLiteral = json { return nil }
    return json.masked(by: masker)
  }

  private var isBinary: Bool { !response.body.isEmpty && text == nil }

  private var binary: Message {
    let type = response.header("Content-Type") ?? "application/octet-stream"
    return Message.failure(
      "Cannot display \(NumberFormatting.bytes(response.body.count)) of \(.foreign(type)) in the terminal.",
      ko: "터미널에 표시할 수 없습니다: \(.foreign(type)), \(NumberFormatting.bytes(response.body.count))"
    ).next(
      "Add \(.command("to FILE")) to save it, or \(.command("| PROGRAM")) to pipe it to a program.",
      ko: "\(.command("to 파일"), .toward) 저장하거나, \(.command("| 프로그램"), .toward) 다른 프로그램에 넘기세요.")
  }

  /// The lines of the body, and whether a part was omitted.
  private var bodyLines: (lines: [[Figure.Run]], isFolded: Bool) {
    let before = output.includesHead ? RawResponseReport.drawn(headText.replacing("\r\n", with: "\n")) : []
    let after = writtenText.map(RawResponseReport.drawn) ?? []
    guard showsBody, !response.body.isEmpty, let text else { return (before + after, false) }
    // Formatting would lose repeated keys and invalid JSON.
    guard let parsed, parsed.isUnambiguous else { return (before + RawResponseReport.drawn(text) + after, false) }
    let json = IndentedJSON(parsed, rows: isInteractive ? context.program.console.height.map { $0 - 4 } : nil)
    let drawn = json.lines.map { line in
      line.map { Figure.Run(Sanitizer.sanitized($0.text, limit: 8 << 20), $0.style) }
    }
    return (before + drawn + after, json.isFolded)
  }

  private var json: String {
    let headers = JSONObject(response.headers.map { ($0.name, .string(masker.mask($0.value))) })
    let body: JSON = response.body.isEmpty ? .null : parsed ?? text.map { .string($0) } ?? .null
    return JSON.escapingInvisibleScalars(
      JSON.object([
        ("status", .int(response.status)), ("headers", .object(headers)), ("bytes", .int(response.body.count)),
        ("body", body),
      ]).serialized)
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
          .number(response.status), response.header("Content-Type").map { .text($0) } ?? .none,
          .number(response.body.count),
          text.map { .text($0) } ?? .none,
        ]
      ], isSingle: true)
  }
}

extension JSON {
  /// A Boolean value that indicates that reformatting loses nothing: there are no repeated keys and no invalid JSON.
  var isUnambiguous: Bool {
    switch self {
    case .null, .bool, .number, .string: true
    case .invalidLiteral: false
    case .array(let elements): elements.allSatisfy(\.isUnambiguous)
    case .object(let object):
      object.duplicateKeys.isEmpty && object.keys.allSatisfy { (object[$0] ?? .null).isUnambiguous }
    }
  }
}

/// A body as lines for display: formatted JSON, plain text, or the size of anything else; a form part by part.
struct BodyPreview {
  private(set) var lines: [String] = []

  init(_ body: Body) {
    switch body {
    case .none: break
    case .data(let data, let type): add(data, type)
    case .multipart(let form):
      for part in form.parts {
        lines.append("--" + form.boundary)
        lines += part.headerLines.split(separator: "\r\n").map(String.init) + [""]
        add(part.content, part.type ?? "text/plain")
      }
      lines.append("--" + form.boundary + "--")
    }
  }

  init(_ response: Response) {
    add(response.body, response.header("Content-Type") ?? "")
  }

  /// Adds data.
  ///
  /// It is truncated only between lines, so that no half of a secret remains.
  private mutating func add(_ data: Data, _ type: String) {
    guard !data.isEmpty else { return }
    guard let text = String(validating: data, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
      lines.append("(\(NumberFormatting.bytes(data.count)), \(type.isEmpty ? "binary" : type))")
      return
    }
    let all = (BodyPreview.pretty(data) ?? text).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    lines += all.prefix(TraceRenderer.maxBodyLines)
    if all.count > TraceRenderer.maxBodyLines {
      lines.append("… (\(all.count - TraceRenderer.maxBodyLines) more lines)")
    }
  }

  private static func pretty(_ data: Data) -> String? {
    guard let json = try? JSON(parsing: data), json.object != nil || json.array != nil else { return nil }
    return IndentedJSON(json).text
  }
}

/// An array of objects as a table, for `as table`: the response itself, or its first member that is such an array.
struct JSONTable {
  let table: Table

  /// The maximum number of columns.
  private static let maximumColumns = 40

  init?(_ json: JSON) {
    guard let rows = JSONTable.rows(of: json) else { return nil }
    var keys: OrderedSet<String> = []
    for row in rows { keys.formUnion(row.keys) }
    let columns = keys.prefix(JSONTable.maximumColumns).map { key in
      Table.Column(
        key, LocalizedText(same: "\(.foreign(key))"),
        isNumber: rows.allSatisfy { row in
          switch row[key] {
          case .number, .null, nil: true
          case .bool, .string, .array, .object, .invalidLiteral: false
          }
        })
    }
    table = Table(columns, rows: rows.map { row in columns.map { JSONTable.cell(row[$0.key]) } })
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
    case .bool(let flag): .bool(flag)
    case .number(let number): number.int.map { .number($0) } ?? .text(number.literal)
    case .string(let text): .text(text)
    case .array, .object, .invalidLiteral: .text(json?.serialized ?? "")
    }
  }
}
