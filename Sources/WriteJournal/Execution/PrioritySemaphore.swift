/// A semaphore that limits the concurrent requests of a batch.
///
/// Writes precede reads, and earlier ones precede later ones.
actor PrioritySemaphore {
  private struct Waiter {
    var index: Int
    var isWrite: Bool
    var continuation: CheckedContinuation<Void, Never>
  }

  private var free: Int
  private var waiting: [Waiter] = []
  private let spacing: Duration
  private var nextWrite = Duration.zero

  /// Creates a semaphore with a minimum interval between two writes.
  init(_ slots: Int, spacing: Duration = .zero) {
    free = slots
    self.spacing = spacing
  }

  /// The number of waiting requests.
  var waiterCount: Int { waiting.count }

  func wait(_ index: Int, isWrite: Bool) async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append(Waiter(index: index, isWrite: isWrite, continuation: $0)) }
  }

  func signal() {
    let next = waiting.indices.min { left, right in
      let (left, right) = (waiting[left], waiting[right])
      return left.isWrite == right.isWrite ? left.index < right.index : left.isWrite
    }
    guard let next else {
      free += 1
      return
    }
    waiting.remove(at: next).continuation.resume()
  }

  /// Reserves the next time slot for a write, and returns the time to wait for it.
  func reserveSlot(at now: Duration) -> Duration {
    let slot = max(now, nextWrite)
    nextWrite = slot + spacing
    return slot - now
  }

  /// Delays all writes of the batch until the given time, for example after `Retry-After`.
  func pause(until time: Duration) { nextWrite = max(nextWrite, time) }
}
