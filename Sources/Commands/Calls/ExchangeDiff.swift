import Foundation
import Networking
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The differences between two exchanges: request, status, headers, and JSON bodies by path.
struct ExchangeDiff {
  private(set) var rows: [[Table.Cell]] = []

  /// The headers that differ in every response.
  private static let passing: Set<String> = ["date"]
  /// The maximum number of rows for bodies that differ everywhere.
  private static let maximumCount = 500

  init(from old: StoredExchange, to new: StoredExchange) {
    compare("request", old: ExchangeDiff.request(old), new: ExchangeDiff.request(new))
    compare("status", old: ExchangeDiff.status(old), new: ExchangeDiff.status(new))
    compare("header", old: ExchangeDiff.headers(old), new: ExchangeDiff.headers(new))
    compare("body", old: ExchangeDiff.body(old), new: ExchangeDiff.body(new))
  }

  var isEmpty: Bool { rows.isEmpty }

  var report: Report {
    let table = Report.rows(
      Table(
        [
          .init("part", LocalizedText("part", ko: "부분")), .init("name", LocalizedText("name", ko: "이름")),
          .init("before", LocalizedText("before", ko: "이전")), .init("after", LocalizedText("after", ko: "이후")),
        ], rows: rows))
    guard isEmpty else { return table }
    return .group([.message(.note("No differences.", ko: "차이가 없습니다.")), table])
  }

  private mutating func compare(_ part: String, old: [(String, String)], new: [(String, String)]) {
    let (then, now) = (Dictionary(old) { $1 }, Dictionary(new) { $1 })
    var seen: Set<String> = []
    for (name, _) in old + new where seen.insert(name).inserted && then[name] != now[name] {
      guard rows.count < ExchangeDiff.maximumCount else { return }
      rows.append([.text(part), .text(name), ExchangeDiff.cell(then[name]), ExchangeDiff.cell(now[name])])
    }
  }

  private static func cell(_ text: String?) -> Table.Cell { text.map { .text(SecretPlaceholders.masked($0)) } ?? .none }

  private static func request(_ call: StoredExchange) -> [(String, String)] {
    let path = "/" + call.request.path.joined(separator: "/")
    return [("method", call.request.method), ("path", path)] + call.request.query.map { ($0.name, $0.value) }
  }

  private static func status(_ call: StoredExchange) -> [(String, String)] {
    [("status", call.response.map { String($0.status) } ?? call.failure?.english ?? "")]
  }

  private static func headers(_ call: StoredExchange) -> [(String, String)] {
    (call.response?.headers ?? []).map { ($0.name.lowercased(), $0.value) }.filter { !passing.contains($0.0) }
  }

  private static func body(_ call: StoredExchange) -> [(String, String)] {
    switch call.response?.body ?? .none {
    case .none, .form: []
    case .bytes(_, let size, let sha256): [("", sha256 ?? "\(size) bytes")]
    case .text(let text, _, _):
      if let json = try? JSON(parsing: Data(text.utf8)) {
        json.leaves.map { ($0.path, $0.value) }
      } else {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
          ("line \($0.offset + 1)", String($0.element))
        }
      }
    }
  }
}

extension JSON {
  /// The scalar values with their paths: `pages[0].price`.
  fileprivate var leaves: [(path: String, value: String)] {
    var found: [(path: String, value: String)] = []
    addLeaves(to: &found, at: "")
    return found
  }

  private func addLeaves(to found: inout [(path: String, value: String)], at path: String) {
    switch self {
    case .array(let elements) where !elements.isEmpty:
      for (index, element) in elements.enumerated() { element.addLeaves(to: &found, at: "\(path)[\(index)]") }
    case .object(let object) where !object.keys.isEmpty:
      for key in object.keys {
        (object[key] ?? .null).addLeaves(to: &found, at: path.isEmpty ? key : "\(path).\(key)")
      }
    case .null, .bool, .number, .string, .array, .object, .invalidLiteral: found.append((path, serialized))
    }
  }
}
