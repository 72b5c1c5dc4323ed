import Catalog
import Language

/// One question of a form: what is asked, what may be typed, and what is offered on Tab.
package struct FormQuestion: Sendable {
  /// May hold colours.
  package var prompt: String
  package var initial: String
  /// What the answer must be, shown beside it.
  package var rule: String
  /// Whether it is one of several, which Up and Down go to.
  package var isInForm: Bool
  /// The other rows of the form on a screen of so many columns.
  package var rows: @Sendable (_ columns: Int) -> (above: [String], below: [String])
  /// Typing that leads to such a text is refused on the spot.
  package var allowsTyping: @Sendable (String) -> Bool
  /// What is wrong with a finished answer, in the reader's language; nil when it is fine.
  package var problem: @Sendable (String) -> String?
  /// A short text beside what is typed: `12/100`.
  package var counter: @Sendable (String) -> String?
  package var candidates: @Sendable (String) -> [Candidate]

  package init(
    prompt: String, initial: String = "", rule: String = "", isInForm: Bool = false,
    rows: @escaping @Sendable (Int) -> (above: [String], below: [String]) = { _ in ([], []) },
    allowsTyping: @escaping @Sendable (String) -> Bool = { _ in true },
    problem: @escaping @Sendable (String) -> String? = { _ in nil },
    counter: @escaping @Sendable (String) -> String? = { _ in nil },
    candidates: @escaping @Sendable (String) -> [Candidate] = { _ in [] }
  ) {
    self.prompt = prompt
    self.initial = initial
    self.rule = rule
    self.isInForm = isInForm
    self.rows = rows
    self.allowsTyping = allowsTyping
    self.problem = problem
    self.counter = counter
    self.candidates = candidates
  }
}
