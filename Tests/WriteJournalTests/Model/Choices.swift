/// A depth-first search over the combinations of a run's choices.
///
/// No state is explored twice: a run that reaches a choice in an explored state ends there.
final class Choices {
  /// The error that ends a run in a state that was already explored.
  struct Seen: Error {}

  private var path: [Int] = []
  private var widths: [Int] = []
  private var at = 0
  private var visited: Set<Fingerprint> = []

  /// The number of different states with a choice.
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

  /// Moves to the next combination, and returns `false` after the last one.
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

/// A hash of a state with 128 bits, so that collisions are negligible.
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
