import Catalog
import Language

/// Someone at a terminal who can be asked.
package protocol Asker: Sendable {
  /// One line for a question; nil when there is no answer (end of input, Ctrl-C).
  func answer(to question: String) async -> String?
  /// A line that is not shown and not kept; nil when there is no answer.
  func secret(_ prompt: String) async -> String?
  /// One field of a form, checked as one types.
  func field(_ field: FormQuestion) async -> FormAnswer
  /// Takes away the rows of a form that is done.
  func endForm() async
}

extension Asker {
  /// Where nothing was drawn nothing is taken away.
  package func endForm() async {}
}
