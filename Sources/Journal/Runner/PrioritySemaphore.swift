/// Lets so many requests of a batch be on their way at once: writes before reads, earlier ones before later ones.
actor PrioritySemaphore {
  private struct Waiter {
    var index: Int
    var isWrite: Bool
    var go: CheckedContinuation<Void, Never>
  }

  private var free: Int
  private var waiting: [Waiter] = []
  private let spacing: Duration
  private var nextWrite = Duration.zero

  /// - Parameter spacing: at least this long between two writes.
  init(_ slots: Int, spacing: Duration = .zero) {
    free = slots
    self.spacing = spacing
  }

  /// How many wait.
  var crowd: Int { waiting.count }

  func enter(_ index: Int, isWrite: Bool) async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append(Waiter(index: index, isWrite: isWrite, go: $0)) }
  }

  func leave() {
    let next = waiting.indices.min { left, right in
      let (left, right) = (waiting[left], waiting[right])
      return left.isWrite == right.isWrite ? left.index < right.index : left.isWrite
    }
    guard let next else {
      free += 1
      return
    }
    waiting.remove(at: next).go.resume()
  }

  /// How long a write that starts now has to wait for its turn; its turn is then taken.
  func turn(at now: Duration) -> Duration {
    let turn = max(now, nextWrite)
    nextWrite = turn + spacing
    return turn - now
  }

  /// The server wants to be left alone: no write of the batch before then.
  func hold(until time: Duration) { nextWrite = max(nextWrite, time) }
}

/// The order of a batch: as planned, and never two writes of one lane at once.
struct LaneQueue {
  private let lanes: [String]
  private var next = 0
  private var taken: Set<String> = []
  /// Those whose turn came while their lane was taken, by lane.
  private var behind: [String: [Int]] = [:]
  /// Those that may go before the next one in order.
  private var freed: [Int] = []

  init(_ lanes: [String]) { self.lanes = lanes }

  /// Takes the next one that may begin; nil when there is none just now.
  mutating func pop() -> Int? {
    if !freed.isEmpty { return freed.removeFirst() }
    while next < lanes.count {
      defer { next += 1 }
      if taken.insert(lanes[next]).inserted { return next }
      behind[lanes[next], default: []].append(next)
    }
    return nil
  }

  /// It is over; whoever waits behind it is next.
  mutating func end(_ index: Int) {
    let lane = lanes[index]
    guard var waiting = behind[lane], !waiting.isEmpty else {
      taken.remove(lane)
      return
    }
    freed.append(waiting.removeFirst())
    behind[lane] = waiting
  }
}

/// How fast and how stubbornly a batch goes.
package struct Pace: Hashable, Sendable {
  /// Writes in flight together, 1 to 8; never two on one product.
  package var jobs: Int
  /// At least this long between two sends; nil for no limit.
  package var spacing: Duration?
  /// Stops after so many failures in a row.
  package var stopAfter: Int

  package init(jobs: Int = 1, spacing: Duration? = nil, stopAfter: Int = 5) {
    self.jobs = min(max(jobs, 1), 8)
    self.spacing = spacing
    self.stopAfter = max(stopAfter, 1)
  }
}
