import Foundation

/// A complete HTTP response: status, header fields and the body, which is within the request's limit.
package struct Response: Hashable, Sendable {
  package var status: Int
  package var headers: [HeaderField]
  package var body: Data
  /// The timing of the exchange, or `nil` for a response that was not received over a network.
  package var timing: ExchangeMetrics?

  package init(status: Int, headers: [HeaderField] = [], body: Data = Data(), timing: ExchangeMetrics? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.timing = timing
  }

  package var statusClass: StatusClass { StatusClass(status) }

  /// Indicates whether the status is 2xx.
  package var isSuccess: Bool { statusClass == .success }

  /// Returns the value of the first header field with this name, regardless of case.
  package func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }?.value
  }
}
