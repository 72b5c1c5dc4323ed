import Catalog
import Text

/// `field=value`, and options written like it.
extension CommandReader {
  mutating func assign(_ word: Word) throws(Misread) -> Bool {
    guard let typed = Assignment.split(word) else { return false }
    if let refusal = Assignment.refusal(of: typed) { throw refusal }
    guard let parameter = declaration.assigned else {
      guard typed.operation == .set, let option = worded.first(where: { $0.name == typed.name }) else { return false }
      try give(option, typed.value, word)
      index += 1
      return true
    }
    if let option = worded.first(where: { $0.name == typed.name }), names.field(typed.name) == nil,
      typed.operation == .set, !AssignmentNames(parameter.kind).holds(typed.name)
    {
      try give(option, typed.value, word)
      index += 1
      return true
    }
    var assignment = typed
    assignment.name = try AssignmentNames(parameter.kind).name(typed, names: names, command: declaration.name)
    if let double = invocation.assignments.first(where: { $0.name == assignment.name }),
      double.operation == .set || assignment.operation == .set, !AssignmentNames(parameter.kind).takesAny
    {
      throw Misread(
        Wording("\(.field(assignment.name)) is given twice.", ko: "\(.field(assignment.name), .subject) 두 번 나왔습니다."),
        at: word.range)
    }
    invocation.assignments.append(assignment)
    index += 1
    return true
  }
}
