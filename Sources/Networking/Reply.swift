import Foundation

/// A complete answer: status, headers and the whole body within its cap.
package struct Reply: Hashable, Sendable {
  package var status: Int
  package var headers: [Header]
  package var body: Data
  /// Nil where the answer did not come over a wire.
  package var course: Course?

  package init(status: Int, headers: [Header] = [], body: Data = Data(), course: Course? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.course = course
  }

  /// Any 2xx.
  package var isSuccess: Bool { (200..<300).contains(status) }

  /// The first header of that name, whatever its case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
