import Catalog

extension Expression {
  /// The fields it looks at, each once, in the order written; none when it only compares values.
  package var fields: [Field] {
    var seen: [Field] = []
    collect(&seen)
    return seen
  }

  private func collect(_ seen: inout [Field]) {
    switch self {
    case .compare(.field(let field), _, _), .among(.field(let field), _):
      if !seen.contains(field) { seen.append(field) }
    case .compare(.text, _, _), .among(.text, _), .compare(.column, _, _), .among(.column, _): break
    case .not(let inner): inner.collect(&seen)
    case .all(let terms), .any(let terms): for term in terms { term.collect(&seen) }
    }
  }
}
