import Catalog
import Engine
import Foundation
import Networking
import Presentation
import Text

/// An exchange for display: `>` before what was sent, `<` before what was received, bodies formatted and limited in
/// length, secrets as `•••`.
package struct TraceRenderer {
  /// The maximum number of lines of a body.
  ///
  /// The remaining lines are counted.
  package static let maxBodyLines = 60

  private let exchange: Exchange
  private let masker: SecretRedactor

  package init(_ exchange: Exchange, hiding secrets: [NamedSecret]) {
    self.exchange = exchange
    masker = SecretRedactor(exchange.secrets + secrets)
  }

  /// Returns the text.
  ///
  /// Without `showsBodies` only the heads are shown, as in `curl -v`.
  package func render(_ options: RenderOptions, showsBodies: Bool = true) -> String {
    let request = exchange.request
    let reply = try? exchange.outcome.get()
    var lines = lines("> ", ["\(request.method.rawValue) \(request.target) HTTP/1.1"] + head(of: request, reply))
    let sent = BodyPreview(request.body)
    if showsBodies, !sent.lines.isEmpty { lines += self.lines("> ", [""]) + self.lines("> ", sent.lines) }
    switch exchange.outcome {
    case .success(let reply):
      lines += self.lines("< ", ["HTTP/1.1 \(reply.status)"] + reply.headers.map { "\($0.name): \($0.value)" })
      let body = BodyPreview(reply)
      if showsBodies, !body.lines.isEmpty { lines += self.lines("< ", [""]) + self.lines("< ", body.lines) }
    case .failure(let failure): lines += self.lines("< ", ["(" + failure.evidence + ")"])
    }
    lines.append("- \(TimingTable.milliseconds(exchange.duration)) ms")
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the headers that were actually sent, if they are known.
  private func head(of request: Request, _ reply: Response?) -> [String] {
    if let sent = reply?.timing?.headers, !sent.isEmpty { return sent.map { "\($0.name): \($0.value)" } }
    let type = request.body.type.map { [HeaderField("Content-Type", $0)] } ?? []
    return ([HeaderField("Host", exchange.base.host ?? "")] + type + request.headers).map { "\($0.name): \($0.value)" }
  }

  private func lines(_ mark: String, _ texts: [String]) -> [String] {
    texts.map { mark + Sanitizer.sanitized(masked($0), limit: 2_000) }
  }

  /// Returns the beginning of a long text with secrets masked.
  ///
  /// The last part, which may contain half of a secret, is removed.
  private func masked(_ text: String) -> String {
    let beginning = String(text.prefix(20_000))
    guard beginning.utf8.count < text.utf8.count else { return masker.mask(text) }
    var pieces = masker.pieces(of: beginning)
    if case .text(let last)? = pieces.last { pieces[pieces.count - 1] = .text(String(last.dropLast(16_000))) }
    return pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .secret: Secret.mask
      }
    }.joined() + "…"
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

  init(_ reply: Response) {
    add(reply.body, reply.header("Content-Type") ?? "")
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
    let all = (BodyPreview.pretty(data) ?? text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines += all.prefix(TraceRenderer.maxBodyLines)
    if all.count > TraceRenderer.maxBodyLines { lines.append("… (\(all.count - TraceRenderer.maxBodyLines) more lines)") }
  }

  private static func pretty(_ data: Data) -> String? {
    guard let json = try? JSON(parsing: data), json.object != nil || json.array != nil else { return nil }
    return PrettyJSON(json).text
  }
}

/// JSON formatted over several lines, with styles for keys, texts, numbers and literals.
package struct PrettyJSON {
  package private(set) var lines: [[Figure.Run]] = [[]]

  /// A Boolean value that indicates that something was omitted to fit the screen.
  package private(set) var isFolded = false
  /// The limits for the shown elements of an array and for the depth, or `nil` for all.
  private var limits: (elements: Int, depth: Int)?

  /// Formats a value.
  ///
  /// With `rows`, long arrays and deep values are folded so that it fits a screen of that height.
  package init(_ json: JSON, rows: Int? = nil) {
    write(json, indent: 0)
    guard let rows, lines.count > max(rows, 8) else { return }
    for limits in [(10, 9), (5, 9), (3, 4), (2, 3), (1, 2)] {
      var folded = PrettyJSON(limits)
      folded.write(json, indent: 0)
      self = folded
      if lines.count <= rows { return }
    }
  }

  private init(_ limits: (elements: Int, depth: Int)) { self.limits = limits }

  /// The text without colors.
  package var text: String { lines.map { $0.map(\.text).joined() }.joined(separator: "\n") }

  /// The sanitized lines without colors.
  package var plainLines: [[Figure.Run]] { lines.map { [Figure.Run($0.map(\.text).joined())] } }

  private mutating func write(_ json: JSON, indent: Int) {
    switch json {
    case .null, .bool, .invalidLiteral: put(json.serialized, .palette(170))
    case .number: put(json.serialized, .palette(208))
    case .string: put(JSON.escapingInvisibleScalars(json.serialized), .palette(71))
    case .array(let elements):
      guard !elements.isEmpty else { return put("[]") }
      if let limits, indent >= limits.depth { return fold("[… \(elements.count)]") }
      put("[")
      for (index, element) in elements.prefix(limits?.elements ?? .max).enumerated() {
        start(indent + 1)
        write(element, indent: indent + 1)
        if index < elements.count - 1 { put(",") }
      }
      if let limits, elements.count > limits.elements {
        start(indent + 1)
        fold("… \(elements.count - limits.elements) more")
      }
      start(indent)
      put("]")
    case .object(let object):
      guard !object.keys.isEmpty else { return put("{}") }
      if let limits, indent >= limits.depth { return fold("{… \(object.keys.count)}") }
      put("{")
      for (index, key) in object.keys.enumerated() {
        start(indent + 1)
        put(JSON.escapingInvisibleScalars("\"\(JSON.escaped(key))\""), .palette(75))
        put(": ")
        write(object[key] ?? .null, indent: indent + 1)
        if index < object.keys.count - 1 { put(",") }
      }
      start(indent)
      put("}")
    }
  }

  private mutating func put(_ text: String, _ ink: Figure.Style = .plain) {
    lines[lines.count - 1].append(Figure.Run(text, ink))
  }

  private mutating func fold(_ text: String) {
    put(text, .dim)
    isFolded = true
  }

  private mutating func start(_ indent: Int) {
    lines.append([Figure.Run(String(repeating: "  ", count: indent))])
  }
}

/// A table of exchanges with the milliseconds of each phase, and below them the time of decoding and drawing.
package enum TimingTable {
  package static func of(_ log: TimingLog, draw: Duration?, whole: Duration) -> Table {
    var rows = log.exchanges.map(row)
    rows.append(own(LocalizedText("decoding", ko: "해석"), log.decoding))
    if let draw { rows.append(own(LocalizedText("drawing", ko: "그리기"), draw)) }
    // Concurrent requests together take longer than the command itself.
    let rest = whole - log.exchanges.reduce(log.decoding + (draw ?? .zero)) { $0 + $1.duration }
    if rest > .zero { rows.append(own(LocalizedText("pauses and other time", ko: "대기와 기타"), rest)) }
    rows.append(own(LocalizedText("total", ko: "전체"), whole))
    return Table(
      [
        .init("request", LocalizedText("request (ms)", ko: "요청 (ms)")),
        .init("status", LocalizedText("status", ko: "상태"), isNumber: true),
        .init("lookup", LocalizedText("DNS", ko: "DNS"), isNumber: true),
        .init("connect", LocalizedText("connect", ko: "연결"), isNumber: true),
        .init("tls", LocalizedText("TLS", ko: "TLS"), isNumber: true),
        .init("send", LocalizedText("send", ko: "보내기"), isNumber: true),
        .init("wait", LocalizedText("first byte", ko: "첫 바이트"), isNumber: true),
        .init("body", LocalizedText("body", ko: "본문"), isNumber: true),
        .init("whole", LocalizedText("total", ko: "합계"), isNumber: true),
      ], rows: rows)
  }

  private static func row(_ exchange: Exchange) -> [Table.Cell] {
    let request = exchange.masker.mask("\(exchange.request.method.rawValue) \(exchange.request.target)")
    guard let reply = try? exchange.outcome.get() else {
      return [.text(request)] + Array(repeating: .none, count: 7) + [.text(milliseconds(exchange.duration))]
    }
    let phases = reply.timing?.phases
    let parts = [
      phases?.dns, phases?.connect, phases?.tls, phases.map { $0.blocked + $0.send }, phases?.wait, phases?.receive,
    ]
    // The displayed values are summed, so that the row adds up.
    let sum = parts.compactMap { $0.map(rounded) }.reduce(.zero, +)
    let times = parts + [phases == nil ? exchange.duration : sum]
    return [.text(request), .number(reply.status)] + times.map { $0.map { .text(milliseconds($0)) } ?? .none }
  }

  /// Returns the duration rounded to a tenth of a millisecond.
  private static func rounded(_ time: Duration) -> Duration {
    let (seconds, attoseconds) = time.components
    return .microseconds((seconds * 10_000 + (attoseconds + 50_000_000_000_000) / 100_000_000_000_000) * 100)
  }

  private static func own(_ what: LocalizedText, _ time: Duration) -> [Table.Cell] {
    [.localized(what)] + Array(repeating: .none, count: 7) + [.text(milliseconds(time))]
  }

  /// Returns the milliseconds with one decimal, computed in integers.
  package static func milliseconds(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let tenths = seconds * 10_000 + (attoseconds + 50_000_000_000_000) / 100_000_000_000_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}
