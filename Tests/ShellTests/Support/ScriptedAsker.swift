import Shell
import ShellRuntime
import Synchronization

/// An asker that gives prepared answers, and then none.
final class ScriptedAsker: UserPrompt {
  private let answers: Mutex<[String]>
  private let heard = Mutex<[String]>([])

  init(_ answers: [String]) { self.answers = Mutex(answers) }

  /// The questions so far.
  var questions: [String] { heard.withLock { $0 } }

  func answer(to question: String) async -> String? {
    heard.withLock { $0.append(question) }
    return answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  func secret(_ prompt: String) async -> String? { await answer(to: prompt) }

  func field(_ field: FormQuestion) async -> FormAnswer { await answer(to: field.prompt).map { .text($0) } ?? .left }
}
