import Foundation
import Networking
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// A difference between two exchanges: in the request, the status, the header fields, or the body, of JSON by path.
///
/// Values with the same name, such as repeated query items and header fields, are compared in their order.
struct ExchangeDifference {
  let part: String
  let name: String
  let before: String?
  let after: String?

  /// The header fields that differ in every response.
  private static let ignoredHeaders: Set<String> = ["date"]
  /// The maximum number of differences for bodies that differ everywhere.
  private static let maximumCount = 500

  static func of(_ old: StoredExchange, _ new: StoredExchange) -> [ExchangeDifference] {
    // A query item may have the name `method` or `path`.
    let parts = [
      ("request", target), ("request", query), ("status", status), ("header", headers), ("body", body),
    ]
    let differences = parts.flatMap { part, texts in
      fullOuterJoin(numbered(texts(old)), numbered(texts(new))).filter { $0.first != $0.second }.map {
        ExchangeDifference(part: part, name: $0.name, before: $1, after: $2)
      }
    }
    return Array(differences.prefix(maximumCount))
  }

  /// The key of a value: its name, and its number among the values with that name.
  private struct Key: Hashable {
    var name: String
    var number: Int
  }

  private static func numbered(_ values: [(String, String)]) -> [(Key, String)] {
    var counts: [String: Int] = [:]
    return values.map { name, value in
      let number = counts[name, default: 0] + 1
      counts[name] = number
      return (Key(name: name, number: number), value)
    }
  }

  static func report(_ differences: [ExchangeDifference]) -> Report {
    func cell(_ text: String?) -> Table.Cell { text.map { .text(SecretPlaceholders.masked($0)) } ?? .none }
    let table = Report.rows(
      Table(
        [
          .init("part", LocalizedText("part", ko: "부분")), .init("name", LocalizedText("name", ko: "이름")),
          .init("before", LocalizedText("before", ko: "이전")), .init("after", LocalizedText("after", ko: "이후")),
        ], rows: differences.map { [.text($0.part), .text($0.name), cell($0.before), cell($0.after)] }))
    guard differences.isEmpty else { return table }
    return .group([.message(.note("No differences.", ko: "차이가 없습니다.")), table])
  }

  private static func target(_ exchange: StoredExchange) -> [(String, String)] {
    [("method", exchange.request.method), ("path", "/" + exchange.request.path.joined(separator: "/"))]
  }

  private static func query(_ exchange: StoredExchange) -> [(String, String)] {
    exchange.request.query.map { ($0.name, $0.value) }
  }

  private static func status(_ exchange: StoredExchange) -> [(String, String)] {
    [("status", exchange.response.map { String($0.status) } ?? exchange.failure?.english ?? "")]
  }

  private static func headers(_ exchange: StoredExchange) -> [(String, String)] {
    let headers = (exchange.response?.headers ?? []).map { ($0.name.lowercased(), $0.value) }
    return headers.filter { !ignoredHeaders.contains($0.0) }
  }

  private static func body(_ exchange: StoredExchange) -> [(String, String)] {
    switch exchange.response?.body ?? .none {
    case .none, .form: []
    case .bytes(_, let size, let sha256): [("", sha256 ?? "\(size) bytes")]
    case .text(let text, _, _):
      if let json = try? JSON(parsing: Data(text.utf8)) {
        json.leaves(at: "")
      } else {
        zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false)).map { ("line \($0)", String($1)) }
      }
    }
  }
}

extension JSON {
  /// Returns the scalar values with their paths below `path`: `pages[0].price`.
  fileprivate func leaves(at path: String) -> [(String, String)] {
    switch self {
    case .array(let elements) where !elements.isEmpty:
      zip(0..., elements).flatMap { $1.leaves(at: "\(path)[\($0)]") }
    case .object(let object) where !object.keys.isEmpty:
      object.keys.flatMap { (object[$0] ?? .null).leaves(at: path.isEmpty ? $0 : "\(path).\($0)") }
    case .null, .bool, .number, .string, .array, .object, .invalidLiteral: [(path, serialized)]
    }
  }
}
