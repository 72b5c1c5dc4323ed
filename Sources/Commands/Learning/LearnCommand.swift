import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// `learn`: ten steps through the shell on the built-in market, or the steps of a class.
package struct LearnCommand: Command {
  package static let declaration = CommandDeclaration(
    "learn", group: .session,
    summary: LocalizedText("learn the shell in ten steps", ko: "열 단계로 배우기"),
    usage: ["learn", "learn hint", "learn next", "learn again", "learn off"],
    details: LocalizedText(
      "Shows the steps and the current one. A step says what the market shall show, and is done when the market shows it, however that was reached; a line after a command says so. The steps are for the built-in market, and undo takes back what they change. The market of a class may have steps of its own. learn goes on where it was left, in another session too.",
      ko:
        "단계와 지금 할 일을 표시합니다. 단계는 마켓이 보여야 할 것을 말하고, 어떤 방법이든 마켓이 그렇게 보이면 끝납니다. 끝나면 명령 뒤의 한 줄로 알립니다. 단계는 내장 마켓에서 하며, 바뀐 것은 undo로 되돌릴 수 있습니다. 수업의 마켓에는 그 수업의 단계가 있을 수 있습니다. 다른 세션에서도 하던 곳부터 이어집니다."
    ),
    producesData: true, traits: [.daily, .excludedFromSavedScripts],
    parameters: Subcommand.allCases.map { Parameter($0.rawValue, .flag, kind: .none, summary: $0.summary) },
    examples: [
      .init("learn", "the steps, and the current one", ko: "단계와 지금 할 일"),
      .init("learn hint", "lines to type for the current step", ko: "지금 단계에서 입력할 명령"),
      .init("learn next", "leaves the current step out", ko: "지금 단계를 건너뜀"),
      .init("learn again", "begins with the first step", ko: "첫 단계부터 다시"),
      .init("learn off", "no line after commands; learn goes on", ko: "명령 뒤의 알림을 끔. learn으로 이어 하기"),
    ])

  /// The words after `learn`.
  private enum Subcommand: String, CaseIterable {
    case hint, next, again, off

    var summary: LocalizedText {
      switch self {
      case .hint: LocalizedText("show lines to type", ko: "입력할 명령 보기")
      case .next: LocalizedText("leave the current step out", ko: "지금 단계 건너뛰기")
      case .again: LocalizedText("begin with the first step", ko: "첫 단계부터 다시 하기")
      case .off: LocalizedText("stop; learn goes on later", ko: "멈추기. learn으로 이어 하기")
      }
    }
  }

  private let word: Subcommand?

  /// - Throws: `ParseError` for two words.
  package init(_ invocation: ParsedCommand) throws {
    let words = Subcommand.allCases.filter { invocation.has($0.rawValue) }
    guard words.count <= 1 else {
      throw ParseError(
        LocalizedText(
          "\(.command("learn")) takes one word: hint, next, again or off.",
          ko: "\(.command("learn")) 뒤에는 hint, next, again, off 가운데 하나만 씁니다."))
    }
    word = words.first
  }

  /// - Throws: `CommandError` for a market without steps; `FileError` for a file of the home that can't be read or written;
  ///   the errors of reading the market.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if let result = scope.resultWithoutSaving { return result }
    let store = LearningStore(scope.context.stores.home)
    if word == .off { return try LearnCommand.stop(store) }
    let course = try await LearningCourse.current(in: &scope)
    let stored = word == .again ? nil : try store.progress(in: course.key)
    var learning = try await LearningSession(course, stored, in: &scope)
    // Only a step that was begun before can have been reached, and it isn't left out then.
    let number = stored == nil ? nil : try await learning.advance()
    if word == .next, number == nil { try await learning.skip() }
    try store.set(learning.progress, in: course.key)
    if word == .hint { return .message(try await learning.help()) }
    var result = CommandResult.rows(try await learning.table())
    if let number { result.closingMessages.append(learning.notice(reached: number)) }
    result.closingMessages.append(learning.goal)
    return result
  }

  private static func stop(_ store: LearningStore) throws(FileError) -> CommandResult {
    guard try store.stop() else {
      return .message(.note("learn was not begun.", ko: "learn을 시작한 적이 없습니다."))
    }
    return .message(
      .success(
        "learn is off. Run \(.command("learn")) to go on.",
        ko: "learn을 멈췄습니다. 이어 하려면 \(.command("learn"), .object) 실행하세요."))
  }
}
