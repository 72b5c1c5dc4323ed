/// Replays a run for the combinations of its choices, depth first, and never explores one state twice: a run that comes
/// to a choice in a state from which everything was tried already ends there.
final class Choices {
  /// What comes of here is known already.
  struct Seen: Error {}

  private var path: [Int] = []
  private var widths: [Int] = []
  private var at = 0
  private var visited: Set<Fingerprint> = []

  /// How many different states had a choice.
  var states: Int { visited.count }

  func pick(_ width: Int, in state: () -> Fingerprint) throws(Seen) -> Int {
    guard width > 1 else { return 0 }
    if at == path.count {
      guard visited.insert(state()).inserted else { throw Seen() }
      path.append(0)
      widths.append(width)
    }
    at += 1
    return path[at - 1]
  }

  /// False when every combination was tried.
  func next() -> Bool {
    at = 0
    while let last = path.last, let width = widths.last {
      if last + 1 < width {
        path[path.count - 1] += 1
        return true
      }
      path.removeLast()
      widths.removeLast()
    }
    return false
  }
}

/// 128 bits of a state: two states that differ share them by accident once in more runs than there will ever be.
struct Fingerprint: Hashable {
  private let first: Int
  private let second: Int

  init(_ feed: (inout Hasher) -> Void) {
    var hashers = (Hasher(), Hasher())
    hashers.1.combine("another")
    feed(&hashers.0)
    feed(&hashers.1)
    first = hashers.0.finalize()
    second = hashers.1.finalize()
  }
}
