import Networking

/// The result of a tool: one JSON object, which is sent both as structured content and as text, because some hosts show
/// only the one and some only the other.
package struct ToolResult: Hashable, Sendable {
  package var content: JSONObject
  /// The member with the rows that may be dropped from the end if the result is too large.
  ///
  /// The members `returned` and `truncated` then say so.
  package var rows: String?
  /// The member that says how to go on after a cut, with its value.
  package var continuation: Continuation?
  package var isError: Bool

  /// The way to read the rows that were dropped.
  package struct Continuation: Hashable, Sendable {
    package var key: String
    /// Returns the value for the number of rows that remain.
    package var value: @Sendable (_ returned: Int) -> JSON

    package init(_ key: String, value: @escaping @Sendable (_ returned: Int) -> JSON) {
      self.key = key
      self.value = value
    }

    package static func == (left: Continuation, right: Continuation) -> Bool { left.key == right.key }
    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
  }

  package init(
    _ content: JSONObject, rows: String? = nil, continuation: Continuation? = nil, isError: Bool = false
  ) {
    self.content = content
    self.rows = rows
    self.continuation = continuation
    self.isError = isError
  }

  /// The members of the result of `tools/call`.
  var members: [(String, JSON)] {
    let value = JSON.object(content)
    return [
      ("content", .array([.object([("type", .string("text")), ("text", .string(value.serialized))])])),
      ("structuredContent", value), ("isError", .bool(isError)),
    ]
  }

  /// Returns the result with only the first rows, or `nil` if it has no rows.
  func keeping(_ count: Int) -> ToolResult? {
    guard let rows, let all = content[rows]?.array else { return nil }
    guard count < all.count else { return self }
    var members = content.keys.map { key in (key, content[key] ?? .null) }
    for index in members.indices {
      switch members[index].0 {
      case rows: members[index].1 = .array(Array(all.prefix(count)))
      case "returned": members[index].1 = .int(count)
      case "truncated": members[index].1 = .bool(true)
      case continuation?.key: members[index].1 = continuation?.value(count) ?? .null
      default: break
      }
    }
    var copy = self
    copy.content = JSONObject(members)
    return copy
  }

  /// The number of rows.
  var rowCount: Int { rows.flatMap { content[$0]?.array?.count } ?? 0 }
}
