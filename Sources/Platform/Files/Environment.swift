import Foundation

/// The environment variables of the process as they were when it began, or those of a test.
package struct Environment: Sendable, ExpressibleByDictionaryLiteral {
  package private(set) var dictionary: [String: String]

  package init(_ values: [String: String]) { self.dictionary = values }

  package init(dictionaryLiteral elements: (String, String)...) {
    dictionary = Dictionary(elements) { first, _ in first }
  }

  package static func current() -> Environment { Environment(ProcessInfo.processInfo.environment) }

  /// The value of a variable, `nil` where it is not set.
  package subscript(name: String) -> String? {
    get { dictionary[name] }
    set { dictionary[name] = newValue }
  }
}
