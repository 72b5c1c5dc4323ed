import Catalog
import Engine
import Foundation
import Language
import Networking
import Platform
import Presentation
import Text

/// An answer as it came: status and headers said beside the data, the body as data; for a file its very bytes.
struct RawAnswer {
  private let reply: Reply
  private let masker: Masker
  private let line: RawLine
  private let context: Context
  /// The body with its secrets masked; nil for one that is no text.
  private let text: String?

  init(_ reply: Reply, to request: Request, _ line: RawLine, _ context: Context) {
    self.reply = reply
    self.line = line
    self.context = context
    masker = Masker(request.secrets)
    text = RawAnswer.text(of: reply).map(masker.mask)
  }

  /// A status of 400 and more ends the command with 1, as a refusal does.
  func report(_ session: Session, _ execution: inout Execution) throws -> Report {
    if reply.status >= 400 { execution.ending = .refused }
    if let file = line.clauses.file, line.clauses.format == nil {
      head(session)
      return try save(to: file)
    }
    let format = line.clauses.format ?? session.settings.format
    if format == .table { head(session) }
    if format == .table, isBinary { return .message(binary) }
    return .drawing(Drawing(lines, table: table, json: json))
  }

  private func head(_ session: Session) {
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

  private var lines: [[Drawing.Stroke]] {
    guard !reply.body.isEmpty, let text else { return [] }
    guard let parsed else {
      let lines = text.hasSuffix("\n") ? text.dropLast() : text[...]
      return lines.split(separator: "\n", omittingEmptySubsequences: false).map {
        [Drawing.Stroke(Sanitizer.clean(String($0)))]
      }
    }
    return PrettyJSON(parsed).lines.map { line in
      line.map { Drawing.Stroke(Sanitizer.clean($0.text, limit: 8 << 20), $0.ink) }
    }
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
