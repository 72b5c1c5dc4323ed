/// Lets so many requests of a batch be on their way at once: writes before reads, earlier ones before later ones.
actor Gate {
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
