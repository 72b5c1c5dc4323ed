import Engine
import Shell
import Synchronization

/// Someone at a terminal who answers what was agreed on beforehand, and then nothing more.
final class ScriptedAsker: Asker {
  private let answers: Mutex<[String]>
  private let heard = Mutex<[String]>([])

  init(_ answers: [String]) { self.answers = Mutex(answers) }

  /// Every question so far.
  var questions: [String] { heard.withLock { $0 } }

  func answer(to question: String) async -> String? {
    heard.withLock { $0.append(question) }
    return answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  func secret(_ prompt: String) async -> String? { await answer(to: prompt) }

  func field(_ field: FormQuestion) async -> FormAnswer { await answer(to: field.prompt).map { .text($0) } ?? .left }
}
