import Catalog
import CommandLanguage
import Foundation
import MarketOperations
import Presentation
import ShellRuntime
import Text

/// The steps of a market with the progress of this home, at the time of one reading.
struct LearningSession {
  let course: LearningCourse
  private(set) var progress: LearningProgress
  private(set) var reading: LearningReading

  /// Returns the progress so far, or begins the first step.
  ///
  /// Steps of other content, such as those of another lesson at the same address, begin with the first.
  ///
  /// - Throws: The errors of reading.
  init(_ course: LearningCourse, _ stored: LearningProgress?, in scope: inout CommandScope) async throws {
    self.course = course
    reading = try await LearningReading(&scope)
    if let stored, stored.digest == course.digest {
      progress = stored
    } else {
      progress = LearningProgress(digest: course.digest)
      try await reading.begin(&progress, of: course)
    }
    progress.isOn = true
  }

  /// The current step, or `nil` after the last one.
  var current: LearningStep? {
    course.steps.indices.contains(progress.step - 1) ? course.steps[progress.step - 1] : nil
  }

  /// Checks the current step, and those after it as far as they are reached.
  ///
  /// - Returns: The number of the last step that was reached now, or `nil` for none.
  /// - Throws: The errors of reading.
  mutating func advance() async throws -> Int? {
    // The values at the beginning of the step are those of another market, or were not known without a login.
    let isUnknown = current?.check.hasBase == true && progress.newest == nil && reading.isLoggedIn
    if reading.generation != progress.market || isUnknown {
      progress.changed = nil
      try await reading.begin(&progress, of: course)
    }
    var last: Int?
    while let step = current {
      let (isReached, product) = try await reading.isReached(step.check, &progress)
      guard isReached else { break }
      progress.reached[progress.step] = .init(time: reading.time, market: reading.generation, product: product)
      last = progress.step
      progress.step += 1
      try await reading.begin(&progress, of: course)
    }
    return last
  }

  /// Leaves the current step out.
  ///
  /// - Throws: The errors of reading.
  mutating func skip() async throws {
    guard current != nil else { return }
    progress.step += 1
    try await reading.begin(&progress, of: course)
  }

  /// Returns the message that steps were reached.
  func notice(reached number: Int) -> Message {
    let count = course.steps.count
    guard let step = current else {
      return .success(
        "All \(count) steps are done. \(.command("help")) lists what else there is.",
        ko: "\(count)단계를 모두 마쳤습니다. 다른 명령은 \(.command("help"))에 있습니다.")
    }
    let remark = course.steps[number - 1].remark ?? LocalizedText(same: "")
    return Message(
      .success,
      LocalizedText(
        "Step \(number) of \(count) is done\(remark.english). Next: \(step.goal.english)",
        ko: "\(count)단계 중 \(number)단계 완료\(remark.korean). 다음: \(step.goal.korean)"))
  }

  /// Returns the message about the current step, with its hint.
  var goal: Message {
    let count = course.steps.count
    guard let step = current else {
      return Message.note("All \(count) steps are done.", ko: "\(count)단계가 모두 끝났습니다.")
        .next("Begin again with \(.command("learn again")).", ko: "다시 하려면 \(.command("learn again"), .object) 실행하세요.")
    }
    let message = Message(
      .note,
      LocalizedText(
        "Step \(progress.step) of \(count): \(step.goal.english)",
        ko: "\(count)단계 중 \(progress.step)단계: \(step.goal.korean)"))
    guard reading.isLoggedIn || !step.check.hasBase else {
      return message.next(
        "It is about your products: log in first. \(.command("vendors")) lists who can.",
        ko: "내 상품이 필요하므로 먼저 로그인하세요. 판매자 목록은 \(.command("vendors"), .toward) 볼 수 있습니다.")
    }
    return message.next(step.hint)
  }

  /// Returns the message about the current step, with lines to type.
  ///
  /// - Throws: The errors of reading.
  mutating func help() async throws -> Message {
    guard let step = current else { return goal }
    var message = goal
    guard !step.examples.isEmpty else { return message }
    let id = step.examples.contains { $0.contains("{id}") } ? try await reading.own().first?.id : nil
    message.nextSteps = step.examples.map { example in
      let line = example.replacing("{id}", with: id.map { String($0) } ?? "ID")
      guard line.hasPrefix("$ ") else { return LocalizedText(same: "\(.command(line))") }
      let typed = String(line.dropFirst(2))
      return LocalizedText(
        "in another terminal: \(.command(typed))", ko: "다른 터미널에서: \(.command(typed))")
    }
    return message
  }

  // MARK: Table

  /// The state of a step.
  private enum State {
    /// Read now.
    case done
    /// Reached at a time, and not read now.
    case earlier(Int64)
    /// Reached before the market was reset, or in another market at the address.
    case reset(Int64)
    case skipped
    case current
    case open
  }

  /// Returns the steps with their states as a table.
  ///
  /// - Throws: The errors of reading.
  mutating func table() async throws -> Table {
    var states: [State] = []
    for number in 1...course.steps.count { states.append(try await state(of: number)) }
    let columns: [Table.Column] = [
      .init("step", LocalizedText("step", ko: "단계"), isNumber: true), .init("state", LocalizedText("state", ko: "상태")),
      .init("reached", LocalizedText("reached", ko: "완료 시각")), .init("goal", LocalizedText("goal", ko: "할 일")),
    ]
    let time = reading.time
    func row(_ index: Int, isSeen: Bool) -> [Table.Cell] {
      let (word, moment) = LearningSession.words(states[index], now: time)
      let stamp = moment.map { Timestamp(seconds: $0, isUTC: true) }
      let goal = Table.Cell.localized(course.steps[index].goal)
      if !isSeen { return [.number(index + 1), word, stamp.map { .timestamp($0) } ?? .none, goal] }
      guard let instant = stamp, case .localized(let text) = word else { return [.number(index + 1), goal, word] }
      let clock = LearningSession.clock(instant, now: time)
      let told = LocalizedText(text.english + " \(.dim(clock))", ko: text.korean + " \(.dim(clock))")
      return [.number(index + 1), goal, .localized(told)]
    }
    var table = Table(columns, rows: states.indices.map { row($0, isSeen: false) })
    table.onTerminal = Table(
      [columns[0], columns[3], columns[1]], rows: states.indices.map { row($0, isSeen: true) })
    return table
  }

  private mutating func state(of number: Int) async throws -> State {
    if let reached = progress.reached[number] {
      if reached.market != reading.generation { return .reset(reached.time) }
      let isStill = try await reading.isStill(course.steps[number - 1], reached)
      return isStill == true ? .done : .earlier(reached.time)
    }
    if number == progress.step { return .current }
    return number < progress.step ? .skipped : .open
  }

  private static func words(_ state: State, now: Int64) -> (Table.Cell, Int64?) {
    switch state {
    case .done: (.localized(LocalizedText("done", ko: "완료")), now)
    case .earlier(let time): (.localized(LocalizedText("was done", ko: "완료했음")), time)
    case .reset(let time): (.localized(LocalizedText("before reset", ko: "초기화 전")), time)
    case .skipped: (.localized(LocalizedText("skipped", ko: "건너뜀")), nil)
    case .current: (.localized(LocalizedText("current", ko: "지금")), nil)
    case .open: (.none, nil)
    }
  }

  /// Returns the local time of a moment, with the day unless it is today.
  private static func clock(_ moment: Timestamp, now: Int64) -> String {
    let text = moment.local.displayDescription.prefix(16)
    let today = Timestamp(seconds: now, isUTC: true).local.displayDescription.prefix(10)
    return String(text.hasPrefix(today) ? text.dropFirst(11) : text.dropFirst(5))
  }
}

extension LearningCourse {
  /// Returns the name of the steps of a session's market in the file of the home.
  static func key(of session: Session) -> String {
    session.server.url.map { "class-" + FNV1a($0.value.absoluteString).hex } ?? builtIn.key
  }
}

/// The line after a command that says that a step of `learn` is reached.
package enum LearningNotice {
  /// Returns the message, or `nil` if no step was reached, if `learn` is off or wasn't begun, and if the market takes too long.
  ///
  /// Its requests are no part of the recorded ones. If the market or the progress can't be read, no step is reached.
  ///
  /// - Parameters:
  ///   - scope: The scope after the command.
  ///   - limit: The time for which the prompt waits. The list of a slow server takes longer, and `learn` reads it.
  package static func message(in scope: CommandScope, within limit: Duration = .seconds(2)) async -> Message? {
    guard let stored = begun(in: scope) else { return nil }
    return await withTaskGroup(of: Message?.self) { group in
      group.addTask { await message(in: scope, stored) }
      group.addTask {
        try? await Task.sleep(for: limit)
        return nil
      }
      let first = await group.next()
      group.cancelAll()
      return first ?? nil
    }
  }

  /// Returns the progress of the session's market if the last command may have reached its current step.
  private static func begun(in scope: CommandScope) -> LearningProgress? {
    let (session, store) = (scope.session, LearningStore(scope.context.stores.home))
    guard store.exists, !session.hasEnded, let record = session.commandHistory.all.last,
      let stored = (try? store.progress(in: LearningCourse.key(of: session))) ?? nil, stored.isOn,
      mayReach(stored.step, after: record, in: scope)
    else { return nil }
    return stored
  }

  private static func message(in outer: CommandScope, _ stored: LearningProgress) async -> Message? {
    var scope = outer
    let (session, store) = (scope.session, LearningStore(scope.context.stores.home))
    let recorder = scope.context.stores.recording.exchanges
    var unrecorded = session
    unrecorded.settings.calls = false
    recorder?.configure(unrecorded)
    defer { recorder?.configure(session) }
    scope.context.network.transport = scope.context.network.bareTransport
    do {
      let course = try await LearningCourse.current(in: &scope)
      guard stored.digest == course.digest, stored.step <= course.steps.count else { return nil }
      var learning = try await LearningSession(course, stored, in: &scope)
      let number = try await learning.advance()
      try Task.checkCancellation()
      if learning.progress != stored { try store.set(learning.progress, in: course.key) }
      return number.map { learning.notice(reached: $0) }
    } catch {
      return nil
    }
  }

  /// Returns whether a command may have reached a step.
  ///
  /// The list is read after commands that may write, and for other steps of the built-in market after each.
  private static func mayReach(_ number: Int, after record: CommandRecord, in scope: CommandScope) -> Bool {
    let declarations = scope.context.program.commands.grammar.declarations
    guard record.command != LearnCommand.declaration.name,
      let declaration = declarations.first(where: { $0.name == record.command })
    else { return false }
    let steps = LearningCourse.builtIn.steps
    if scope.session.server.isEmbedded, steps.indices.contains(number - 1), !steps[number - 1].check.isAboutWrites {
      return true
    }
    return declaration.writesToMarket || declaration.group == .scripting
  }
}
