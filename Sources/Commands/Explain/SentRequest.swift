import Foundation
import MarketAPI
import Networking
import ShellRuntime
import Text
import WriteJournal

/// A request that was sent, classified by its operation in the edition, with its fields.
struct SentRequest {
  enum Purpose: Hashable {
    case list
    case show
    case create
    case edit
    /// The first request of a deletion, which asks for a URL or a token.
    case prepareDeletion
    case delete
    case other
  }

  /// The kind of body, as far as the rules distinguish it.
  enum BodyKind: Hashable { case none, json, form, unreadable }

  let purpose: Purpose
  let bodyKind: BodyKind
  /// The text values of the fields, by their names in the edition.
  let fields: [String: String]
  /// The names of all fields.
  let names: [String]
  let files: [StoredExchange.Part]
  let query: [String: String]
  private let headers: [String: String]
  private let head: String

  init(_ request: StoredExchange.Request, _ dialect: Dialect) {
    let path = request.path.filter { !$0.isEmpty }
    purpose = SentRequest.purpose(request.method, path, in: dialect)
    head = request.method + " /" + path.joined(separator: "/")
    query = Dictionary(request.query.map { ($0.name, $0.value) }) { $1 }
    headers = Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
    switch request.body {
    case .none: (bodyKind, fields, names, files) = (.none, [:], [], [])
    case .bytes: (bodyKind, fields, names, files) = (.unreadable, [:], [], [])
    case .text(let text, _, _):
      let object = (try? JSON(parsing: Data(text.utf8)))?.object
      (bodyKind, files) = (object == nil ? .unreadable : .json, [])
      (fields, names) = SentRequest.members(of: object)
    case .form(let parts):
      bodyKind = .form
      files = parts.filter { $0.fileName != nil || $0.text == nil }
      if dialect.capabilities.ownership == .vendors, let params = parts.first(where: { $0.name == "params" })?.text {
        (fields, names) = SentRequest.members(of: (try? JSON(parsing: Data(params.utf8)))?.object)
      } else {
        let texts = parts.filter { $0.fileName == nil }
        fields = Dictionary(texts.compactMap { part in part.text.map { (part.name, $0) } }) { $1 }
        names = texts.map(\.name)
      }
    }
  }

  func header(_ name: String) -> String? { headers[name.lowercased()] }

  /// The request with its fields: `PATCH /api/products/12 with name, secret`.
  var wording: LocalizedText {
    let parts = names + (files.isEmpty ? [] : [files.count == 1 ? "1 file" : "\(files.count) files"])
    let asked = query.keys.sorted().map { "\($0)=\(query[$0] ?? "")" }.joined(separator: "&")
    let address = SecretPlaceholders.masked(head + (asked.isEmpty ? "" : "?" + asked))
    if parts.isEmpty { return LocalizedText(same: "\(.foreign(address))") }
    let list = SecretPlaceholders.masked(parts.joined(separator: ", "))
    return LocalizedText("\(.foreign(address)) with \(.foreign(list))", ko: "\(.foreign(address)): \(.foreign(list))")
  }

  private static func members(of object: JSONObject?) -> (fields: [String: String], names: [String]) {
    guard let object else { return ([:], []) }
    var fields: [String: String] = [:]
    for key in object.keys { if let text = try? object.string(key) { fields[key] = text } }
    return (fields, object.keys)
  }

  private static func purpose(_ method: String, _ path: [String], in dialect: Dialect) -> Purpose {
    if dialect.capabilities.ownership == .vendors {
      guard path.starts(with: ["api", "products"]) else { return .other }
      switch (method, path.count) {
      case ("GET", 2): return .list
      case ("GET", 3): return .show
      case ("POST", 2): return .create
      case ("PATCH", 3): return .edit
      case ("POST", 4): return .prepareDeletion
      case ("DELETE", _): return .delete
      case (_, _): return .other
      }
    }
    switch (method, path.first, path.count) {
    case ("GET", "items", _): return .list
    case ("GET", "item", 2): return .show
    case ("POST", "item", 1): return .create
    case ("PATCH", "item", 2): return .edit
    case ("DELETE", "item", 2): return .delete
    case (_, _, _): return .other
    }
  }
}
