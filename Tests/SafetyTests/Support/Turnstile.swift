import Foundation

/// Waits for a semaphore without holding up the other tests.
enum Turnstile {
  static func wait(for semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        semaphore.wait()
        continuation.resume()
      }
    }
  }
}
