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

  /// What a path behind the variable means, as text: a string as it is, objects and lists as JSON on one line; nil where
  /// there is nothing.
  package func value(at path: AnswerPath) -> String? {
    switch path.steps.first {
    case nil: return body
    case .key("status") where path.steps.count == 1: return String(status)
    case .key("ms") where path.steps.count == 1: return milliseconds
    case .key("headers"):
      guard case .key(let name)? = path.steps.dropFirst().first, path.steps.count == 2 else {
        return path.steps.count == 1 ? JSON.object(headers.map { ($0.name, .string($0.value)) }).text : nil
      }
      return headers.first { $0.name.lowercased() == name.lowercased() }?.value
    case .key("body") where json?.object?["body"] == nil:
      return path.steps.count == 1 ? body : Answer.spelled(json?.value(at: path.steps.dropFirst()))
    case .key, .index: return Answer.spelled(json?.value(at: path.steps[...]))
    }
  }

  /// The paths that lead on from one, for Tab.
  package func paths(behind path: AnswerPath) -> [String] {
    if path.steps.isEmpty {
      return [".status", ".ms", ".headers"] + Answer.steps(into: json)
    }
    if path.steps == [.key("headers")] { return headers.map { "." + $0.name } }
    return Answer.steps(into: json?.value(at: path.steps[...]))
  }

  private static func steps(into json: JSON?) -> [String] {
    switch json {
    case .object(let object): return object.keys.filter { AnswerPath("." + $0) != nil }.map { "." + $0 }
    case .array(let elements): return [".length"] + elements.indices.prefix(20).map { "[\($0)]" }
    case .null, .bool, .number, .string, .odd, nil: return []
    }
  }

  private static func spelled(_ json: JSON?) -> String? {
    if case .string(let text)? = json { return text }
    return json?.text
  }
}

extension JSON {
  /// What a path leads to; `length` of a list, an object or a text is how many elements, members or characters it has.
  fileprivate func value(at steps: ArraySlice<AnswerPath.Step>) -> JSON? {
    guard let step = steps.first else { return self }
    let rest = steps.dropFirst()
    switch (self, step) {
    case (.object(let object), .key(let name)):
      if let member = object[name] { return member.value(at: rest) }
      return name == "length" && rest.isEmpty ? .int(object.keys.count) : nil
    case (.array(let elements), .index(let index)):
      return elements.indices.contains(index) ? elements[index].value(at: rest) : nil
    case (.array(let elements), .key("length")): return rest.isEmpty ? .int(elements.count) : nil
    case (.string(let text), .key("length")): return rest.isEmpty ? .int(text.count) : nil
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.odd, _), (.array, .key), (.object, .index): return nil
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
