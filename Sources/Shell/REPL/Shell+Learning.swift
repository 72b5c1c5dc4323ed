import Commands
import Presentation
import ShellRuntime

extension Shell {
  /// Returns the message that a typed line reached a step of `learn`, or `nil`.
  func learningNotice() async -> Message? {
    context.program.agent == nil ? await LearningNotice.message(in: scope) : nil
  }
}
