import Catalog
import Foundation
import Journal
import Language
import Networking
import OrderedCollections
import Presentation
import Text

/// What a server answered to `get` or `raw`, as a value: `$p.status`, `$p.headers.Content-Type`, `$p.pages[0].id`.
package struct Answer: Hashable, Sendable {
  /// `GET https://shop.example/api/products`, secrets masked.
  package let request: String
  package let status: Int
  /// From the first byte sent to the last one received, in milliseconds with one decimal.
  package let milliseconds: String
  package let headers: [Header]
  /// The body where it is JSON.
  package let json: JSON?
  /// The body where it is text; secrets are masked in it.
  package let text: String

  package init(request: String, status: Int, took: Duration, headers: [Header], json: JSON?, text: String) {
    self.request = request
    self.status = status
    let tenths = took.components.seconds * 10_000 + took.components.attoseconds / 100_000_000_000_000
    milliseconds = "\(tenths / 10).\(tenths % 10)"
    self.headers = headers
    self.json = json
    self.text = text
  }

  package var body: String { json?.text ?? text }

  /// Request, status, headers and the beginning of the body, as a report on a test run shows them.
  package var described: String {
    let head = ["> " + request, "< HTTP/1.1 " + HTTPStatus.described(status)]
    let fields = headers.map { "< \($0.name): \($0.value)" }
    let beginning = String(text.prefix(Answer.describedLength)) + (text.count > Answer.describedLength ? "…" : "")
    let lines = head + fields + ["<"] + beginning.split(separator: "\n").map { "< " + $0 }
    return lines.map { Sanitizer.clean($0, limit: .max) + "\n" }.joined()
  }

  private static let describedLength = 4_000

  /// Returns the value that a path behind the variable leads to; nil where there is nothing.
  ///
  /// - Parameter name: the variable as it is written: `$p`, `_`.
  package func value(at path: AnswerPath, named name: String) -> NamedValue {
    func named(_ json: JSON?, _ steps: some Collection<AnswerPath.Step>, _ name: String) -> NamedValue {
      guard steps.contains(.every) else { return json?.value(at: steps).map { .value($0) } ?? .missing }
      return json?.elements(at: steps, named: name).map { .elements($0) } ?? .missing
    }
    let rest = path.steps.dropFirst()
    switch path.steps.first {
    case nil: return .value(json ?? .string(text))
    case .key("status") where rest.isEmpty: return .value(.int(status))
    case .key("ms") where rest.isEmpty: return NamedValue(word: milliseconds)
    case .key("headers"):
      if rest.isEmpty { return .value(.object(headers.map { ($0.name, .string($0.value)) })) }
      guard case .key(let name)? = rest.first, rest.count == 1,
        let header = headers.first(where: { $0.name.lowercased() == name.lowercased() })
      else { return .missing }
      return .value(.string(header.value))
    case .key("body") where json?.object?["body"] == nil:
      return rest.isEmpty ? .value(json ?? .string(text)) : named(json, rest, name + ".body")
    case .key, .index, .every: return named(json, path.steps, name)
    }
  }

  /// The paths that lead on from one, for Tab.
  package func paths(behind path: AnswerPath) -> [String] {
    if path.steps.isEmpty {
      return [".status", ".ms", ".headers"] + Answer.steps(into: json)
    }
    if path.steps == [.key("headers")] { return headers.map { "." + $0.name } }
    return Answer.steps(into: json?.value(at: path.steps))
  }

  /// Returns the steps that lead on from a value: its members, or the elements of a list.
  package static func steps(into json: JSON?) -> [String] {
    switch json {
    case .object(let object): return object.keys.map { AnswerPath.text(.key($0)) }
    case .array(let elements):
      return [".length", "[-1]", "[*]"] + elements.indices.prefix(20).map { "[\($0)]" }
    case .null, .bool, .number, .string, .odd, nil: return []
    }
  }
}

extension Session {
  /// The answer that a variable holds, or `_` after `raw`, where no product was looked at since.
  package func answer(_ name: String) -> Answer? { name == "_" ? answer : variables[name]?.answer }
}

/// A command that came to nothing: what was said of it, and the answer of a server that refused it, where one did.
package struct RefusedCommand: Hashable, Sendable {
  /// As typed; nil where it may hold a secret.
  package var line: String?
  /// What was said; nil where that was said while the command ran.
  package var message: Message?
  /// The last request of it that was answered with 400 or above, without secrets; nil where nothing was sent, or no answer
  /// refused it.
  package var exchange: KeptExchange?

  package init(line: String?, message: Message?, exchange: KeptExchange?) {
    self.line = line
    self.message = message
    self.exchange = exchange
  }
}
