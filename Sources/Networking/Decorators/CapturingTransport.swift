import Foundation
import Synchronization

/// A transport that captures requests instead of sending them.
///
/// Writes are never sent.
package struct CapturingTransport: Transport {
  /// The error for a captured request, of which nothing was sent.
  package struct RequestNotSent: Error, Hashable, Sendable {
    package init() {}
  }

  /// The handling of requests that only read.
  package enum Reads: Hashable, Sendable {
    case captured
    /// Reads are sent, because later requests depend on their responses, and not captured.
    case sent
    /// Reads are sent and captured.
    case sentAndCaptured
  }

  private let transport: any Transport
  private let reads: Reads
  private let held: CapturedRequests

  package init(_ transport: any Transport, reads: Reads, into held: CapturedRequests) {
    self.transport = transport
    self.reads = reads
    self.held = held
  }

  /// Captures the request, and sends it if it is a read and reads are sent.
  ///
  /// - Throws: ``RequestNotSent`` if the request was not sent, or the error of the wrapped transport.
  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    let passes = request.method.isSafe && reads != .captured
    if !passes || reads == .sentAndCaptured { held.append(request, base) }
    guard passes else { throw RequestNotSent() }
    return try await transport.send(request, to: base, with: options)
  }
}

/// The captured requests, in order.
package final class CapturedRequests: Sendable {
  /// A captured request and the base URL it was for.
  package struct CapturedRequest: Hashable, Sendable {
    package var request: Request
    package var base: URL
  }

  private let held = Mutex<[CapturedRequest]>([])

  package init() {}

  package var all: [CapturedRequest] { held.withLock { $0 } }

  func append(_ request: Request, _ base: URL) {
    held.withLock { $0.append(CapturedRequest(request: request, base: base)) }
  }
}
