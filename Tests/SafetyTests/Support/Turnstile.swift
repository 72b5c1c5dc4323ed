import Foundation

/// Holds one passage until the test lets it go on.
final class Turnstile: Sendable {
  private let isThere = DispatchSemaphore(value: 0)
  private let gate = DispatchSemaphore(value: 0)
  /// Where nobody comes, or nobody opens, the test goes on and fails by what it finds.
  private static var longest: DispatchTime { .now() + .seconds(300) }

  /// Waits until somebody stands before it, without holding up the other tests.
  func isReached() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        _ = self.isThere.wait(timeout: Turnstile.longest)
        continuation.resume()
      }
    }
  }

  func open() { gate.signal() }

  /// For whoever goes through: blocks.
  func pass() {
    isThere.signal()
    _ = gate.wait(timeout: Turnstile.longest)
  }
}

extension Proxy {
  /// Holds the passage of that number, before the market has seen it or with the answer in hand; all others pass.
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
