/// Replays a run once for every combination of its choices, depth first.
final class Choices {
  private var path: [Int] = []
  private var widths: [Int] = []
  private var at = 0

  func pick(_ width: Int) -> Int {
    guard width > 1 else { return 0 }
    if at == path.count {
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
