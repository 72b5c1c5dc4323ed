import Catalog
import Text

extension Grammar {
  /// The shape of what is still to come, for showing behind the cursor; nil when nothing is missing.
  ///
  /// Right behind its name a command shows all it takes; later only what it still asks for.
  package func hint(_ line: String, names: FieldNames = .neutral) -> Wording? {
    let lexer = Lexer(line)
    guard lexer.problem == nil else { return nil }
    if case .comment = lexer.tokens.last { return nil }
    guard let segment = Grammar.segments(lexer.tokens, of: line).last, segment.pipe == nil,
      segment.range.upperBound < line.unicodeScalars.count
    else { return nil }
    let walk = LineWalk(self, segment.words, names: names)
    let shape = shape(of: walk, segment)
    return shape.isEmpty ? nil : Wording("\(.dim(shape))", ko: "\(.dim(shape))")
  }

  private func shape(of walk: LineWalk, _ segment: Segment) -> String {
    if let declaration = walk.declaration, walk.roles.last == .command {
      return declaration.parameters.map(Help.syntax).joined(separator: " ")
    }
    switch walk.next {
    case .command, .line: return ""
    case .seconds: return "SECONDS COMMAND"
    case .value(let parameter): return Help.placeholder(parameter.kind)
    case .condition(let start): return start == segment.words.count ? "FIELD=VALUE" : ""
    case .anything:
      let isAssigned = segment.words.contains { Assignment.split($0) != nil }
      let assigned = isAssigned ? nil : walk.declaration?.assigned
      return (walk.remaining + [assigned].compactMap { $0 }).map(Help.syntax).joined(separator: " ")
    }
  }
}
