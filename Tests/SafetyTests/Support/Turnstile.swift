import Foundation
import TestSupport

/// Holds one request until the test opens it.
final class Turnstile: Sendable {
  private let isThere = DispatchSemaphore(value: 0)
  private let gate = DispatchSemaphore(value: 0)
  /// The time limit of waiting, after which the test continues and fails by its checks.
  private static var longest: DispatchTime { .now() + .seconds(Int(Waiting.timeLimit.components.seconds)) }

  /// Waits until a request is held, without blocking the other tests.
  func isReached() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        _ = self.isThere.wait(timeout: Turnstile.longest)
        continuation.resume()
      }
    }
  }

  func open() { gate.signal() }

  /// Waits until it is opened, without blocking the other tests.
  func wait() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        self.pass()
        continuation.resume()
      }
    }
  }

  /// Blocks the calling request.
  func pass() {
    isThere.signal()
    _ = gate.wait(timeout: Turnstile.longest)
  }
}

extension Proxy {
  /// Holds the request with that number before the market receives it, or with its response; all others pass.
  func hold(_ number: Int, isAnswered: Bool = false) -> Turnstile {
    let turnstile = Turnstile()
    decide { passage in
      guard passage.number == number else { return .pass }
      if isAnswered { return .answered { turnstile.pass() } }
      turnstile.pass()
      return .pass
    }
    return turnstile
  }
}
