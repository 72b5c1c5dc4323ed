import Dispatch
import Foundation
import Synchronization

/// Resolves a host name with the system's resolver on a Dispatch queue, because `getaddrinfo` blocks its thread.
struct NameLookup {
  let host: String

  /// Returns the numeric addresses of the host, in the order of the system's preference.
  ///
  /// An IP literal is returned as is.
  ///
  /// - Throws: `TransportFailure` with `.nameNotFound`, or with `.cancelled` immediately when the task is cancelled.
  func addresses() async throws(TransportFailure) -> [String] {
    if isFigures { return [host] }
    let answer = Answer()
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          answer.waits(continuation)
          DispatchQueue.global().async { [host] in
            let found = NameLookup.resolve(host)
            answer.give(found.isEmpty ? .failure(.nameNotFound(host: host)) : .success(found))
          }
        }
      } onCancel: {
        answer.give(.failure(.cancelled))
      }
    } catch {
      throw error as? TransportFailure ?? TransportFailure(.cancelled, extent: .nothing)
    }
  }

  private var isFigures: Bool {
    var address = [UInt8](repeating: 0, count: 16)
    return inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1
  }

  private static func resolve(_ host: String) -> [String] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
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
    return found
  }

  /// A result that is set once: by the resolver or by cancellation, whichever comes first.
  private final class Answer: Sendable {
    enum Found: Sendable {
      case success([String])
      case failure(TransportFailure.Reason)
    }
    typealias Waiting = CheckedContinuation<[String], any Error>
    private enum State {
      case waiting(Waiting?)
      case given(Found)
      case over
    }
    private let state = Mutex(State.waiting(nil))

    func waits(_ continuation: Waiting) {
      let early: Found? = state.withLock { state in
        if case .given(let answer) = state {
          state = .over
          return answer
        }
        state = .waiting(continuation)
        return nil
      }
      if let early { Answer.resume(continuation, early) }
    }

    func give(_ answer: Found) {
      let waiting: Waiting? = state.withLock { state in
        guard case .waiting(let continuation) = state else { return nil }
        state = continuation == nil ? .given(answer) : .over
        return continuation
      }
      if let waiting { Answer.resume(waiting, answer) }
    }

    private static func resume(_ waiting: Waiting, _ answer: Found) {
      switch answer {
      case .success(let addresses): waiting.resume(returning: addresses)
      case .failure(let reason): waiting.resume(throwing: TransportFailure(reason, extent: .nothing))
      }
    }
  }
}
