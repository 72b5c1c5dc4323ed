import Shell
import ShellRuntime
import Synchronization

/// An asker that gives prepared answers, and then none.
package final class ScriptedAsker: UserPrompt {
  private let answers: Mutex<[String]>
  private let heard = Mutex<[String]>([])

  package init(_ answers: [String]) { self.answers = Mutex(answers) }

  /// The questions so far.
  package var questions: [String] { heard.withLock { $0 } }

  package func answer(to question: String) async -> String? {
    heard.withLock { $0.append(question) }
    return answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  package func secret(_ prompt: String) async -> String? { await answer(to: prompt) }

  package func field(_ field: FormQuestion) async -> FormAnswer {
    await answer(to: field.prompt).map { .text($0) } ?? .left
  }
}
