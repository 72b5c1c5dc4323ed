/// One line that is asked for: how it is shown, completed and checked.
struct Question {
  var prompt: StyledPrompt
  /// Shown dim at the right edge while there is room.
  var right = ""
  /// What stands in the line at first.
  var initial = ""
  /// A form field: no history, no newlines.
  var isField = false
  var completer: @Sendable (String, Int) -> Completion = { _, _ in .none }
  var painter: (@Sendable (String) -> [PaintedRange])?
  var isUnfinished: @Sendable (String) -> Bool = { _ in false }
  /// Why Enter would not take the text yet.
  var accepts: @Sendable (String) -> String? = { _ in nil }
  /// Texts no key may lead to.
  var refuses: @Sendable (String) -> Bool = { _ in false }
  /// Shown dim behind the text while typing.
  var counter: @Sendable (String) -> String = { _ in "" }
}
