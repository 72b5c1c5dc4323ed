import Assistance
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

/// One question of a form: what is asked, what may be typed, and what is offered on Tab.
package struct FormQuestion: Sendable {
  /// May hold colours.
  package var prompt: String
  package var initial: String
  /// What the answer must be, shown beside it.
  package var rule: String
  /// Whether it is one of several, which Up and Down go to.
  package var isInForm: Bool
  /// True if keys typed before the question was on the screen are thrown away.
  package var discardsTypeahead: Bool
  /// The other rows of the form on a screen of so many columns.
  package var rows: @Sendable (_ columns: Int) -> (above: [String], below: [String])
  /// What is wrong with a finished answer, in the reader's language; nil when it is fine.
  package var problem: @Sendable (String) -> String?
  /// A short text beside what is typed: `12/100`.
  package var counter: @Sendable (String) -> String?
  package var candidates: @Sendable (String) -> [Candidate]

  package init(
    prompt: String, initial: String = "", rule: String = "", isInForm: Bool = false, discardsTypeahead: Bool = false,
    rows: @escaping @Sendable (Int) -> (above: [String], below: [String]) = { _ in ([], []) },
    problem: @escaping @Sendable (String) -> String? = { _ in nil },
    counter: @escaping @Sendable (String) -> String? = { _ in nil },
    candidates: @escaping @Sendable (String) -> [Candidate] = { _ in [] }
  ) {
    self.prompt = prompt
    self.initial = initial
    self.rule = rule
    self.isInForm = isInForm
    self.discardsTypeahead = discardsTypeahead
    self.rows = rows
    self.problem = problem
    self.counter = counter
    self.candidates = candidates
  }
}

/// What came of one question of a form.
package enum FormAnswer: Hashable, Sendable {
  case text(String)
  /// Up or Down: another field is wanted; what stands in this one may be unfinished.
  case up(String)
  case down(String)
  /// Esc, Ctrl-C or end of input: the form is left, nothing is sent.
  case left
}

/// What the options of the program said for the whole run: `--yes`, `--read-only`.
package struct StandingConsent: Hashable, Sendable {
  package var yes: Bool
  package init(yes: Bool = false) { self.yes = yes }
}
