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
    let turn = max(now, nextWrite)
    nextWrite = turn + spacing
    return turn - now
  }

  /// Delays all writes of the batch until the given time, for example after `Retry-After`.
  func pause(until time: Duration) { nextWrite = max(nextWrite, time) }
}

/// The queue of a batch: in the planned order, but never with two writes of the same key at once.
struct SerializedQueue {
  private let lanes: [String]
  private var next = 0
  private var busy: Set<String> = []
  /// The writes that wait for another write of the same key, by key.
  private var blocked: [String: [Int]] = [:]
  /// The writes that may start before the next one in order.
  private var ready: [Int] = []

  init(_ lanes: [String]) { self.lanes = lanes }

  /// Removes the next write that may start, or returns `nil` if there is none at the moment.
  mutating func pop() -> Int? {
    if !ready.isEmpty { return ready.removeFirst() }
    while next < lanes.count {
      defer { next += 1 }
      if busy.insert(lanes[next]).inserted { return next }
      blocked[lanes[next], default: []].append(next)
    }
    return nil
  }

  /// Ends a write, so that the next one with its key may start.
  mutating func finish(_ index: Int) {
    let lane = lanes[index]
    guard var waiting = blocked[lane], !waiting.isEmpty else {
      busy.remove(lane)
      return
    }
    ready.append(waiting.removeFirst())
    blocked[lane] = waiting
  }
}

/// The limits for executing a batch.
package struct BatchOptions: Hashable, Sendable {
  /// The number of writes in flight, 1 to 8; never two for one product.
  package var concurrency: Int
  /// The minimum interval between two attempts, or `nil` for no limit.
  package var minimumInterval: Duration?
  /// The number of consecutive failures after which the batch stops.
  package var failureLimit: Int

  package init(concurrency: Int = 1, minimumInterval: Duration? = nil, failureLimit: Int = 5) {
    self.concurrency = min(max(concurrency, 1), 8)
    self.minimumInterval = minimumInterval
    self.failureLimit = max(failureLimit, 1)
  }
}
