import CommandLanguage
import Networking
import OrderedCollections
import Text

/// The response to `get` or `raw` as a value: `$p.status`, `$p.headers.Content-Type`, `$p.pages[0].id`.
package struct ResponseValue: Hashable, Sendable {
  /// The request with secrets masked: `GET https://shop.example/api/products`.
  package let request: String
  package let status: Int
  /// The milliseconds from the first byte sent to the last one received, with one decimal.
  package let milliseconds: String
  package let headers: [HeaderField]
  /// The body if it is JSON.
  package let json: JSON?
  /// The body if it is text, with secrets masked.
  package let text: String

  package init(request: String, status: Int, took: Duration, headers: [HeaderField], json: JSON?, text: String) {
    self.request = request
    self.status = status
    let tenths = took.components.seconds * 10_000 + took.components.attoseconds / 100_000_000_000_000
    milliseconds = "\(tenths / 10).\(tenths % 10)"
    self.headers = headers
    self.json = json
    self.text = text
  }

  package var body: String { json?.serialized ?? text }

  /// The request, status, headers and beginning of the body, as shown in a test report.
  package var described: String {
    let head = ["> " + request, "< HTTP/1.1 " + HTTPStatus.described(status)]
    let fields = headers.map { "< \($0.name): \($0.value)" }
    let beginning =
      String(text.prefix(ResponseValue.describedLength)) + (text.count > ResponseValue.describedLength ? "…" : "")
    let lines = head + fields + ["<"] + beginning.split(separator: "\n").map { "< " + $0 }
    return lines.map { Sanitizer.sanitized($0, limit: .max) + "\n" }.joined()
  }

  private static let describedLength = 4_000

  /// The headers by name in their order, with the values of a repeated one joined (RFC 9110 section 5.3).
  private var joinedHeaders: OrderedDictionary<String, HeaderField> {
    headers.reduce(into: [:]) { result, header in
      let key = header.name.lowercased()
      result[key] = HeaderField(
        result[key]?.name ?? header.name, (result[key].map { $0.value + ", " } ?? "") + header.value)
    }
  }

  /// Returns the value at a path, or `.missing`.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - name: The variable as it is written: `$p`, `_`.
  ///   - isMember: Whether the path begins with a bracket, so that it leads into the JSON: `["status"]`.
  package func value(at path: ValuePath, named name: String, isMember: Bool = false) -> NamedValue {
    func named(_ json: JSON?, _ steps: some Collection<ValuePath.Step>, _ name: String) -> NamedValue {
      guard steps.contains(.every) else { return json?.value(at: steps).map { .value($0) } ?? .missing }
      return json?.elements(at: steps, named: name).map { .elements($0) } ?? .missing
    }
    if isMember { return named(json, path.steps, name) }
    let rest = path.steps.dropFirst()
    switch path.steps.first {
    case nil: return .value(json ?? .string(text))
    case .key("status") where rest.isEmpty: return .value(.int(status))
    case .key("ms") where rest.isEmpty: return NamedValue(word: milliseconds)
    case .key("headers"):
      if rest.isEmpty { return .value(.object(joinedHeaders.values.map { ($0.name, .string($0.value)) })) }
      guard case .key(let name)? = rest.first, rest.count == 1, let header = joinedHeaders[name.lowercased()]
      else { return .missing }
      return .value(.string(header.value))
    case .key("body") where json?.object?["body"] == nil:
      return rest.isEmpty ? .value(json ?? .string(text)) : named(json, rest, name + ".body")
    case .key, .index, .every: return named(json, path.steps, name)
    }
  }

  /// Returns the continuations of a path, for completion.
  package func memberPaths(after path: ValuePath) -> [String] {
    if path.steps.isEmpty {
      return [".status", ".ms", ".headers"] + ResponseValue.steps(into: json)
    }
    if path.steps == [.key("headers")] { return headers.map { "." + $0.name } }
    return ResponseValue.steps(into: json?.value(at: path.steps))
  }

  /// Returns the steps that continue from a value: its members, or the elements of an array.
  package static func steps(into json: JSON?) -> [String] {
    switch json {
    case .object(let object): return object.keys.map { ValuePath.text(.key($0)) }
    case .array(let elements):
      return [".length", "[-1]", "[*]"] + elements.indices.prefix(20).map { "[\($0)]" }
    case .null, .bool, .number, .string, .invalidLiteral, nil: return []
    }
  }
}

extension Session {
  /// Returns the response that a variable contains, or that `_` contains after `raw` until a product is shown.
  package func lastResponse(_ name: String) -> ResponseValue? {
    name == "_" ? last.response : variables[name]?.response
  }
}
