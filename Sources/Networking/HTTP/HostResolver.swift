import Dispatch
import Foundation
import Synchronization

/// Resolves a host name with the system's resolver on a Dispatch queue, because `getaddrinfo` blocks its thread.
package struct HostResolver: Sendable {
  /// The reason why a host has no addresses.
  package enum Failure: Error {
    /// The resolver's own words (`gai_strerror`).
    case resolver(String)
    /// The task was cancelled. The resolver's thread goes on, because a lookup cannot be ended.
    case cancelled
  }

  private let host: String

  package init(host: String) { self.host = host }

  /// Returns the numeric addresses of the host, in the order of the system's preference.
  ///
  /// An IP literal is returned as is.
  package func lookUp() async -> Result<[String], Failure> {
    if isIPLiteral { return .success([host]) }
    let result = OneShotResult<[String]>()
    do {
      return .success(
        try await withTaskCancellationHandler {
          DispatchQueue.global().async { [host] in
            result.resolve(HostResolver.resolve(host).mapError { $0 as any Error })
          }
          return try await result.value
        } onCancel: {
          result.resolve(.failure(Failure.cancelled))
        })
    } catch {
      return .failure(error as? Failure ?? .cancelled)
    }
  }

  /// Returns the addresses of the host.
  ///
  /// - Throws: `TransportError` with `.nameNotFound`, or with `.cancelled` immediately when the task is cancelled.
  func addresses() async throws(TransportError) -> [String] {
    switch await lookUp() {
    case .success(let addresses) where !addresses.isEmpty: return addresses
    case .success, .failure(.resolver): throw TransportError(.nameNotFound(host: host), extent: .none)
    case .failure(.cancelled): throw TransportError(.cancelled, extent: .none)
    }
  }

  private var isIPLiteral: Bool {
    var address = [UInt8](repeating: 0, count: 16)
    return inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
  }

  private static func resolve(_ host: String) -> Result<[String], Failure> {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    guard code == 0 else { return .failure(.resolver(String(cString: gai_strerror(code)))) }
    defer { freeaddrinfo(list) }
    var found: [String] = []
    var next = list
    while let entry = next?.pointee {
      var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let length = socklen_t(text.count)
      if getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, length, nil, 0, NI_NUMERICHOST) == 0 {
        found.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
      }
      next = entry.ai_next
    }
    return .success(found)
  }
}

/// A result that is set once, for one caller; later results are ignored.
package final class OneShotResult<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, any Error>)
    case finished(Result<Value, any Error>)
  }

  private let state = Mutex(State.open)

  package init() {}

  package var value: Value {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        let finished: Result<Value, any Error>? = state.withLock { state in
          if case .finished(let result) = state { return result }
          state = .awaited(continuation)
          return nil
        }
        if let finished { continuation.resume(with: finished) }
      }
    }
  }

  package func resolve(_ result: Result<Value, any Error>) {
    let waiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
      switch state {
      case .finished: return nil
      case .open:
        state = .finished(result)
        return nil
      case .awaited(let continuation):
        state = .finished(result)
        return continuation
      }
    }
    waiting?.resume(with: result)
  }
}
