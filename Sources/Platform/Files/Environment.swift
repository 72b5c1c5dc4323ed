import Foundation

/// The environment variables of the process as they were when it began, or those of a test.
package struct Environment: Sendable, ExpressibleByDictionaryLiteral {
  package private(set) var values: [String: String]

  package init(_ values: [String: String]) { self.values = values }

  package init(dictionaryLiteral elements: (String, String)...) {
    values = Dictionary(elements) { first, _ in first }
  }

  package static func ofProcess() -> Environment { Environment(ProcessInfo.processInfo.environment) }

  /// The value of a variable, `nil` where it is not set.
  package subscript(name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }
}
