import Catalog
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The exchanges of an HTTP archive (HAR 1.2), as `calls`, `log` and browsers write it.
package struct Recording: Sendable {
  private static let maximumBytes = 256 << 20
  private static let maximumEntries = 20_000

  /// The address of the server that most entries are of.
  package var baseURL: URL
  /// True when that was the embedded market.
  package var isEmbedded: Bool
  /// `nil` in archives of other programs.
  package var edition: Edition?
  package var vendorID: Int?
  /// The start of the first entry, which is the time during a replay.
  package var startedAt: Date
  package var exchanges: [RecordedExchange]
  /// The generation of the market in the first response that says one.
  var generation: MarketGeneration? {
    exchanges.lazy.compactMap { exchange -> MarketGeneration? in
      guard case .success(let response) = exchange.outcome else { return nil }
      return response.header(MarketGeneration.headerName).flatMap { MarketGeneration($0) }
    }.first
  }
  /// The number of entries without a response of a server, such as the images in `data:` URLs that browsers archive.
  package private(set) var skippedEntries = 0

  /// - Throws: `CommandError` for a file that is no HTTP archive, with the entry that cannot be read; `FileError` where the
  ///   file cannot be read.
  package init(_ path: String) throws {
    guard let text = try Files.text(path, limit: Recording.maximumBytes) else {
      throw FileError.cannotRead(path: path, errno: ENOENT)
    }
    let log = (try? JSON(parsingUntilCancelled: Data(text.utf8)))?.object?["log"]?.object
    try Task.checkCancellation()
    guard let log, let entries = log["entries"]?.array, !entries.isEmpty else {
      throw Recording.unreadable(path, LocalizedText("It has no entries.", ko: "요청과 응답이 들어 있지 않습니다."))
    }
    guard entries.count <= Recording.maximumEntries else {
      throw Recording.unreadable(
        path,
        LocalizedText(
          "It has more than \(Recording.maximumEntries) entries.", ko: "항목이 \(Recording.maximumEntries)개를 넘습니다."))
    }
    let server = log["_openmarket"]?.object
    isEmbedded = (try? server?.bool("embedded")) ?? false
    edition = (try? server?.string("edition")).flatMap { Edition(rawValue: $0) }
    vendorID = try? server?.int("vendor_id")
    var origins: [String: Int] = [:]
    var began: Date?
    exchanges = []
    for (index, json) in entries.enumerated() {
      try Task.checkCancellation()
      if let scheme = Recording.scheme(of: json), scheme != "http", scheme != "https" {
        skippedEntries += 1
        continue
      }
      guard let entry = json.object, let start = Recording.start(of: entry),
        let origin = (try? entry["request"]?.object?.string("url")).flatMap(Recording.origin),
        let exchange = RecordedExchange(entry, deletionTokenPrefix: edition?.capabilities.deletionTokenPrefix ?? "")
      else {
        throw Recording.unreadable(
          path, LocalizedText("Entry \(index + 1) cannot be read.", ko: "\(index + 1)번째 항목을 읽을 수 없습니다."))
      }
      began = began ?? start
      origins[origin, default: 0] += 1
      // A request that was cancelled, such as that of a prefetched page, has no outcome to replay.
      if case .failure(let error) = exchange.outcome, error.reason == .cancelled { continue }
      exchanges.append(exchange)
    }
    guard let began,
      let base = origins.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }).flatMap({ URL(string: $0.key) })
    else { throw Recording.unreadable(path, LocalizedText("It contains no server URL.", ko: "서버의 주소가 없습니다.")) }
    (self.baseURL, self.startedAt) = (base, began)
  }

  private static func start(of entry: JSONObject) -> Date? {
    guard let text = (try? entry.string("startedDateTime")) ?? nil, let time = Timestamp(text) ?? zoned(text),
      Timestamp.representableRange.contains(time.seconds)
    else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(time.seconds))
  }

  /// Reads a time with an offset (`2026-11-24T10:00:00.123+09:00`), which Firefox writes.
  private static func zoned(_ text: String) -> Timestamp? {
    let styles = [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()]
    return styles.lazy.compactMap { try? Date(text, strategy: $0) }.first.map { Timestamp($0) }
  }

  /// Returns the scheme of the URL of an entry in lowercase (RFC 3986, section 3.1), or `nil` if it has none.
  private static func scheme(of entry: JSON) -> String? {
    guard let url = (try? entry.object?["request"]?.object?.string("url")) ?? nil,
      let match = url.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.-]*):(?![0-9])/)
    else { return nil }
    return match.1.lowercased()
  }

  private static func origin(of address: String) -> String? {
    guard let parts = URLComponents(string: address), let scheme = parts.scheme, let host = parts.encodedHost else {
      return nil
    }
    return "\(scheme)://\(host)\(parts.port.map { ":\($0)" } ?? "")"
  }

  private static func unreadable(_ path: String, _ reason: LocalizedText) -> CommandError {
    CommandError(
      .usageError,
      .failure("\(.value(path)) is not an HTTP archive (HAR).", ko: "\(.value(path), .topic) HTTP 아카이브(HAR)가 아닙니다.")
        .because(reason)
        .next(
          "Run \(.command("calls session to FILE.har")) to create one.",
          ko: "\(.command("calls session to 파일.har"))로 만듭니다."))
  }
}

extension RecordedExchange {
  /// Reads an entry (HAR 1.2, "entries").
  ///
  /// A response without a body that it had is `notRecorded`; one of status 0 failed on its way.
  ///
  /// - Parameter deletionTokenPrefix: the part of a deletion address before its secret, which archives do not hold.
  fileprivate init?(_ entry: JSONObject, deletionTokenPrefix: String) {
    guard let request = entry["request"]?.object, let method = (try? request.string("method")) ?? nil,
      let url = (try? request.string("url")) ?? nil, let response = entry["response"]?.object,
      let status = (try? response.int("status")) ?? nil
    else { return nil }
    let key = RequestKey(method: method, url: url, body: RecordedExchange.body(request["postData"]?.object))
    guard status > 0 else {
      let reason = (try? entry.string("comment")) ?? nil
      let cancelled = TransportError(.cancelled, extent: .complete)
      let failure =
        reason == cancelled.evidence.english ? cancelled : TransportError(.other(reason ?? "-"), extent: .complete)
      self.init(key: key, outcome: .failure(failure))
      return
    }
    guard let body = RecordedExchange.content(response["content"]?.object) else {
      self.init(key: key, outcome: .failure(TransportError(.notRecorded(method + " " + url), extent: .none)))
      return
    }
    let headers = (response["headers"]?.array ?? []).compactMap { json -> HeaderField? in
      guard let name = (try? json.object?.string("name")) ?? nil, let value = (try? json.object?.string("value")) ?? nil
      else { return nil }
      return HeaderField(name, value)
    }
    let isDeletionToken = body == Data(Secret.mask.utf8)
    let token = Data("\(deletionTokenPrefix)__\(Credentials.deletionTokenVariable)__".utf8)
    self.init(
      key: key, outcome: .success(Response(status: status, headers: headers, body: isDeletionToken ? token : body)))
  }

  private static func body(_ data: JSONObject?) -> String {
    guard let data else { return "" }
    guard let params = data["params"]?.array, !params.isEmpty else { return ((try? data.string("text")) ?? nil) ?? "" }
    return RequestKey.body(
      of: params.compactMap { json in
        guard let param = json.object, let name = (try? param.string("name")) ?? nil else { return nil }
        return (name, param["fileName"] == nil ? ((try? param.string("value")) ?? nil) ?? "" : nil)
      })
  }

  /// The bytes of a body, `nil` where the archive does not hold them.
  private static func content(_ content: JSONObject?) -> Data? {
    guard let content, let text = (try? content.string("text")) ?? nil else {
      let size = ((try? content?.int("size")) ?? nil) ?? 0
      return size > 0 ? nil : Data()
    }
    return (try? content.string("encoding")) == "base64" ? Data(base64Encoded: text) : Data(text.utf8)
  }
}
