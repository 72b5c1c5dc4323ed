import Catalog
import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The messages about runs that did not end.
package enum RunMessages {
  /// Returns the error of a line that is held back because it would repeat a part of runs.
  ///
  /// `isOfKey` means that the line has the key of the run.
  package static func heldBack(_ conflicts: [RunConflict], isOfKey: Bool = false, now: Timestamp) -> CommandError {
    guard let first = conflicts.first else { return CommandError(.blocked, ConfirmationPrompt.declined.message) }
    let run = first.run
    let name = run.name
    if run.life.state == .open {
      let what: LocalizedText =
        if isOfKey {
          LocalizedText("has the same key.", ko: "키가 같습니다.")
        } else if conflicts.allSatisfy(\.items.isEmpty) {
          LocalizedText("is the same line or script.", ko: "같은 명령이나 스크립트입니다.")
        } else {
          LocalizedText("makes the same changes.", ko: "같은 변경을 하고 있습니다.")
        }
      let message = Message.failure(
        "Nothing was sent. \(name), which is still running, \(what.english)",
        ko: "아무것도 보내지 않았습니다. 실행 중인 \(name), \(what.korean)"
      ).because(description(of: run, now: now))
      let isScript = run.unit.kind == .script && first.isSameUnit
      return CommandError(
        .blocked,
        isOfKey || isScript
          ? message.next("Wait until it has ended.", ko: "끝날 때까지 기다리세요.")
          : message.next(
            "Wait until it has ended. To make all of it anew, add \(.command("again")).",
            ko: "끝날 때까지 기다리세요. 모두 새로 적용하려면 명령 끝에 \(.command("again"), .object) 붙이세요."),
        code: .interruptedRun)
    }
    var message = Message.failure(
      "Nothing was sent. The line would repeat a part of \(name), which was interrupted.",
      ko: "아무것도 보내지 않았습니다. 중단된 \(name)의 일부를 되풀이하는 명령입니다.")
    for conflict in conflicts.prefix(3) { message = message.because(description(of: conflict.run, now: now)) }
    if conflicts.count > 3 {
      message = message.because(
        "\(conflicts.count - 3) more like it: see \(.command("status")).",
        ko: "이와 같은 실행이 \(conflicts.count - 3)개 더 있습니다: \(.command("status"))")
    }
    message = message.next(consequences(of: run))
    if first.run.unit.kind != .script || !first.isSameUnit {
      message = message.next(
        "To make all of it anew, add \(.command("again")) to the command.",
        ko: "모두 새로 적용하려면 명령 끝에 \(.command("again"), .object) 붙이세요.")
    }
    return CommandError(.blocked, message, code: .interruptedRun)
  }

  /// Returns the warning about runs that more than one home has, because a home was copied or the runs were handed over.
  ///
  /// - Parameters:
  ///   - names: The names of the runs.
  ///   - isHandedOver: Whether they are in a file of `handover`.
  package static func elsewhere(_ names: [String], isHandedOver: Bool) -> Message {
    let (list, isOne) = (names.joined(separator: ", "), names.count == 1)
    let what =
      isHandedOver
      ? LocalizedText(
        "\(.value(list)) \(isOne ? StyledText("was") : "were") handed over from one home to another.",
        ko: "\(.value(list), .topic) 한 홈에서 다른 홈으로 넘긴 실행입니다.")
      : LocalizedText(
        "The home folder was copied, moved or restored after \(.value(list)) \(isOne ? StyledText("was") : "were") interrupted.",
        ko: "\(.value(list), .subject) 중단된 뒤에 홈 폴더를 복사하거나 옮기거나 복원했습니다.")
    let why = LocalizedText(
      "The other \(isHandedOver ? StyledText("home") : "copy") may have finished \(isOne ? StyledText("it") : "them").",
      ko: "다른 쪽에서 이미 마쳤을 수 있습니다.")
    return Message(.warning, what).because(why)
  }

  /// Returns the error of a line that would go on with such a run without a user who can be asked.
  package static func decision(about run: String, after warning: Message) -> CommandError {
    CommandError(
      .outcomeUnknown,
      warning.next(
        "Look at the products. Then \(.command("resume \(run) yes")) goes on with it, and \(.command("forget \(run)")) leaves it as it is.",
        ko:
          "상품을 확인한 뒤 \(.command("resume \(run) yes"), .toward) 이어 하거나, \(.command("forget \(run)"), .toward) 그대로 두세요."
      ), code: .interruptedRun)
  }

  /// Returns what `resume`, `undo` and `forget` do with a run.
  private static func consequences(of run: Run) -> LocalizedText {
    let name = run.name
    let (resume, undo, forget) = ("resume \(name)", "undo \(name)", "forget \(name)")
    let counts = run.counts
    let rest = counts.left + counts.unknown
    let goesOn: LocalizedText =
      if rest > 0, counts.done + counts.failed + counts.steps == 0 {
        // There is nothing that these would be the others of.
        LocalizedText(
          "\(.command(resume)) finishes \(rest == 1 ? StyledText("it") : "the \(rest)");",
          ko: "\(.command(resume), .topic) \(rest)건을 마저 처리하고,")
      } else if rest > 0 {
        LocalizedText(
          "\(.command(resume)) finishes the other \(rest);", ko: "\(.command(resume), .topic) 나머지 \(rest)건을 마저 처리하고,")
      } else if run.unit.kind == .script {
        LocalizedText("\(.command(resume)) goes on with its lines;", ko: "\(.command(resume), .topic) 멈춘 줄부터 이어 가고,")
      } else {
        LocalizedText("\(.command(resume)) completes it;", ko: "\(.command(resume), .topic) 마무리하고,")
      }
    let undoes =
      counts.done == 0
      ? LocalizedText("", ko: "")
      : LocalizedText(
        " \(.command(undo)) undoes the \(counts.done);", ko: " \(.command(undo), .topic) \(counts.done)건을 되돌리고,")
    return LocalizedText(
      "\(goesOn.english)\(undoes.english) \(.command(forget)) leaves it as it is.",
      ko: "\(goesOn.korean)\(undoes.korean) \(.command(forget), .topic) 그대로 둡니다.")
  }

  /// Returns a run in one sentence: when it was begun, its line, and what is known of its changes.
  private static func description(of run: Run, now: Timestamp) -> LocalizedText {
    let age = age(of: run.begun, now: now)
    let line = line(of: run)
    let counts = counts(of: run)
    let held = run.heldBack
    let again =
      held == 0
      ? LocalizedText("", ko: "")
      : LocalizedText(
        " \(held == 1 ? StyledText("One repetition was") : "\(held) repetitions were") not sent.",
        ko: " 반복한 \(held)번은 보내지 않았습니다.")
    return LocalizedText(
      "\(run.name), \(age.english): \(.command(line)): \(counts.english).\(again.english)",
      ko: "\(run.name), \(age.korean): \(.command(line)): \(counts.korean).\(again.korean)")
  }

  /// Returns the line of a run, or the script with the number and the text of its last line.
  private static func line(of run: Run) -> String {
    switch run.unit.kind {
    case .line, .earlier, .handedOver: return run.unit.text
    case .script:
      guard let line = run.line else { return run.unit.text }
      return "\(run.unit.text):\(line.number) \(line.text)"
    }
  }

  /// Returns what is known of the changes of a run: `5 done, 1 unknown, 17 not sent`.
  private static func counts(of run: Run) -> LocalizedText {
    let counts = run.counts
    var english: [String] = []
    var korean: [String] = []
    func add(_ count: Int, _ word: String, ko: String) {
      guard count > 0 else { return }
      english.append("\(count) \(word)")
      korean.append("\(count)건 \(ko)")
    }
    add(counts.done, "done", ko: "완료")
    add(counts.unknown, "unknown", ko: "결과 미확인")
    add(counts.left, "not sent", ko: "미전송")
    add(counts.steps, counts.steps == 1 ? "sale or snapshot" : "sales or snapshots", ko: "할인·스냅샷")
    guard !english.isEmpty else { return LocalizedText("nothing done", ko: "적용된 변경 없음") }
    return LocalizedText("\(english.joined(separator: ", "))", ko: "\(korean.joined(separator: ", "))")
  }

  /// Returns the time since a run was begun: `1 min ago`; or its date, if the clock was set back since.
  package static func age(of begun: Timestamp, now: Timestamp) -> LocalizedText {
    if begun.seconds > now.seconds + tolerance {
      let time = LocalTime(begun).description
      return LocalizedText("\(time), before the clock was set back", ko: "\(time)(그 뒤에 시계를 되돌림)")
    }
    let seconds = max(0, now.seconds - begun.seconds)
    switch seconds {
    case ..<60: return LocalizedText("just now", ko: "방금")
    case ..<3_600: return LocalizedText("\(seconds / 60) min ago", ko: "\(seconds / 60)분 전")
    case ..<86_400: return LocalizedText("\(seconds / 3_600) h ago", ko: "\(seconds / 3_600)시간 전")
    default:
      let days = seconds / 86_400
      return LocalizedText("\(days) \(days == 1 ? StyledText("day") : "days") ago", ko: "\(days)일 전")
    }
  }

  /// The correction of a clock, in seconds, that isn't reported.
  private static let tolerance: Int64 = 60

  /// Returns the error of a line whose key of `once` belongs to a settled run.
  package static func givenUp(_ run: Run, key: String) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "Nothing was sent. The key \(.value(key)) belongs to \(run.name), which was given up.",
        ko: "아무것도 보내지 않았습니다. 키 \(.value(key), .topic) 더 이어 가지 않는 \(run.name)의 키입니다."
      ).next("Use another key to make it anew.", ko: "새로 적용하려면 다른 키를 쓰세요."), code: .interruptedRun)
  }

  /// Returns the error of a command that concerns a run which another shell executes.
  package static func stillRunning(_ run: Run) -> CommandError {
    CommandError(
      .blocked,
      .failure("\(run.name) is still running. Nothing was sent.", ko: "\(run.name) 실행이 끝나지 않았습니다. 아무것도 보내지 않았습니다.")
        .next("Wait until it has ended, or stop it.", ko: "끝날 때까지 기다리거나 멈추세요."), code: .busy)
  }

  /// Returns the error of a command that names a run which isn't interrupted.
  package static func notInterrupted(_ number: Int) -> CommandError {
    CommandError(
      .refused,
      .failure("There is no interrupted run r\(number).", ko: "중단된 r\(number) 실행이 없습니다.")
        .next("Run \(.command("status")) to list them.", ko: "\(.command("status"))에서 볼 수 있습니다."))
  }

  /// Returns what `forget` leaves and discards of a run: `r12: 5 done stay as they are, 18 will not be sent.`
  ///
  /// `isForgotten` indicates that it has happened.
  package static func staysAsItIs(_ run: Run, isForgotten: Bool) -> LocalizedText {
    let counts = run.counts
    let unknown =
      counts.unknown == 0
      ? LocalizedText("", ko: "")
      : LocalizedText("; the outcome of \(counts.unknown) is unknown", ko: ", 결과 미확인 \(counts.unknown)건")
    return LocalizedText(
      "\(run.name)\(isForgotten ? " is given up" : ""): \(counts.done) done stay as they are, \(counts.left) will not be sent\(unknown.english).",
      ko: "\(run.name), 그대로 둡니다: 완료 \(counts.done)건은 그대로, \(counts.left)건은 보내지 않음\(unknown.korean).")
  }

  /// Returns the note that runs did not end, one reason each, for `status`.
  package static func interrupted(_ runs: [Run], now: Timestamp) -> Message {
    let count = runs.count
    var message = Message.note(
      "\(count) \(count == 1 ? StyledText("run was") : "runs were") interrupted.", ko: "중단된 실행이 \(count)개 있습니다.")
    for run in runs {
      message = message.because(description(of: run, now: now))
    }
    return runs.last.map { message.next(consequences(of: $0)) } ?? message
  }

  /// Returns the note that a run is too old to be resumed without its number.
  package static func needsItsNumber(_ run: Run, now: Timestamp) -> Message {
    .note(
      "\(run.name) is left as it is: it is from \(age(of: run.begun, now: now).english).",
      ko: "\(run.name), 그대로 둡니다: \(age(of: run.begun, now: now).korean) 실행입니다."
    ).next(
      "Run \(.command("resume \(run.name)")) to finish it.",
      ko: "마저 처리하려면 \(.command("resume \(run.name)"), .object) 실행하세요.")
  }

  /// Returns the note that another shell has taken a run over in the meantime.
  package static func takenByAnother(_ run: Run) -> Message {
    .note(
      "\(run.name) was taken over or given up by another openmarket session in the meantime.",
      ko: "그사이 다른 openmarket이 \(run.name, .object) 처리했습니다.")
  }

  /// Returns the message that nothing is left of a run.
  package static func isComplete(_ run: Run) -> Message {
    let (name, count) = (run.name, run.counts.done)
    let failed = run.counts.failed
    let message: Message =
      failed == 0
      ? .success("\(name) is complete.", ko: "\(name) 실행을 마쳤습니다.")
      : .note(
        "\(name) has nothing left to do; \(failed) \(failed == 1 ? StyledText("change was") : "changes were") not made.",
        ko: "\(name) 실행에 남은 일이 없습니다. \(failed)건은 적용되지 않았습니다.")
    guard count > 0 else { return message }
    return message.next(
      "To undo \(count == 1 ? StyledText("it") : "all \(count) of it"), run \(.command("undo \(name)")).",
      ko: "\(count)건을 모두 되돌리려면 \(.command("undo \(name)"), .object) 실행하세요.")
  }

  /// Returns the warning about lines that `resume` did not run.
  package static func notRun(_ lines: [Run.ScriptLine], of run: Run) -> Message {
    let name = run.unit.text
    let forget = "forget \(run.name)"
    if run.unit.kind == .line {
      return .warning(
        "\(run.name) may have more to do, which was not done.", ko: "\(run.name)에 하지 않은 일이 더 있을 수 있습니다."
      ).because(
        "\(.command(name)) has several steps, and only those that were begun are recorded.",
        ko: "\(.command(name), .topic) 여러 단계로 되어 있고, 시작한 단계만 기록되어 있습니다."
      ).next(
        "Do the rest yourself, then \(.command(forget)).", ko: "나머지를 직접 처리한 뒤 \(.command(forget), .object) 실행하세요.")
    }
    guard let first = lines.first else {
      let number = run.line?.number ?? 1
      return .warning(
        "Lines of \(.value(name)) after line \(number) were not run, if there are any.",
        ko: "\(.value(name))에서 \(number)번째 줄 뒤에 줄이 더 있었다면 실행하지 않았습니다."
      ).because("They are in no file.", ko: "파일에 있는 줄이 아닙니다.").next(
        "Run them yourself, then \(.command(forget)).", ko: "직접 실행한 뒤 \(.command(forget), .object) 실행하세요.")
    }
    var message = Message.warning(
      "\(lines.count) \(lines.count == 1 ? StyledText("line") : "lines") of \(.value(name)) after the interruption \(lines.count == 1 ? StyledText("was") : "were") not run.",
      ko: "\(.value(name))에서 멈춘 뒤의 \(lines.count)줄은 실행하지 않았습니다."
    ).because(
      "They may need values of earlier lines, or the script has changed or can't be read.",
      ko: "앞줄의 값이 필요할 수 있거나, 스크립트가 바뀌었거나 스크립트를 읽을 수 없습니다.")
    if let path = run.unit.path {
      let source = "source \(Quoting.quote(path)) from \(first.number)"
      message = message.next(
        "Run them yourself, for example with \(.command(source)), then \(.command(forget)).",
        ko: "\(.command(source)) 등으로 이 줄들을 직접 실행한 뒤 \(.command(forget), .object) 실행하세요.")
    } else {
      message = message.next(
        "Run them yourself, then \(.command(forget)).",
        ko: "이 줄들을 직접 실행한 뒤 \(.command(forget), .object) 실행하세요.")
    }
    return message.because(first: 5, of: lines, counter: "줄") { line in
      LocalizedText("line \(line.number): \(.command(line.text))", ko: "\(line.number)번째 줄: \(.command(line.text))")
    }
  }

  /// Returns a message about a write that an interrupted command left pending and a later one resolved.
  package static func outcome(of settled: RecoveredWrite) -> Message {
    let entry = settled.entry
    guard case .done(let product, _) = settled.outcome else {
      let (subject, words) = (settled.change.subject, settled.outcome.kind.words)
      let message = Message.note(
        "Checked log entry \(entry) of an interrupted command, \(subject.english). Outcome: \(words.english).",
        ko: "중단된 명령의 로그 \(entry)번(\(subject.korean))을 확인했습니다. 결과: \(words.korean)")
      return settled.outcome.detail.map { message.because($0) } ?? message
    }
    let id = product?.id ?? settled.change.product?.id ?? 0
    let name = settled.change.name.map { " \"\(.foreign($0))\"" as StyledText } ?? ""
    switch settled.change {
    case .create:
      return .note(
        "Product \(id)\(name) was created by the interrupted command (log entry \(entry)).",
        ko: "중단된 명령이 상품을 등록했습니다: \(id)번\(name)(로그 \(entry)번).")
    case .edit:
      return .note(
        "Product \(id)\(name) was updated by the interrupted command (log entry \(entry)).",
        ko: "중단된 명령이 상품을 수정했습니다: \(id)번\(name)(로그 \(entry)번).")
    case .delete:
      return .note(
        "Product \(id)\(name) was deleted by the interrupted command (log entry \(entry)).",
        ko: "중단된 명령이 상품을 삭제했습니다: \(id)번\(name)(로그 \(entry)번).")
    }
  }

  /// Returns the error of `undo` without a number while a run is interrupted.
  package static func undoIsAmbiguous(_ run: Run, last: JournalEntry?) -> CommandError {
    var message = Message.failure(
      "Nothing was sent. \(run.name) was interrupted, and the last change is another one.",
      ko: "아무것도 보내지 않았습니다. 중단된 \(run.name, .subject) 있고, 마지막 변경은 다른 변경입니다."
    )
    message =
      run.counts.done + run.counts.unknown > 0
      ? message.next(
        "Run \(.command("undo \(run.name)")) to undo what it has done.",
        ko: "그 실행이 한 변경을 되돌리려면 \(.command("undo \(run.name)"), .object) 실행하세요.")
      : message.next(
        "Run \(.command("forget \(run.name)")) to leave that run as it is.",
        ko: "그 실행을 그대로 두려면 \(.command("forget \(run.name)"), .object) 실행하세요.")
    if let last {
      message = message.next(
        "Run \(.command("undo \(last.id)")) to undo the last change: \(last.subject.english).",
        ko: "마지막 변경(\(last.subject.korean))을 되돌리려면 \(.command("undo \(last.id)"), .object) 실행하세요.")
    }
    return CommandError(.blocked, message, code: .interruptedRun)
  }

  /// Returns the line that undoes the batch of an entry: that of its run, unless the run has other writes, too.
  package static func undoLine(ofBatchOf entry: JournalEntry, _ journal: Journal) throws -> String? {
    guard let batch = entry.batch else { return nil }
    if let run = entry.run, try journal.isBatch(batch, wholeRun: run) { return "undo r\(run)" }
    return "undo batch \(batch)"
  }

  /// Returns the note that an undo gives up what an interrupted run has not done.
  package static func givesUp(_ number: Int) -> Message {
    .note(
      "What r\(number) has not done yet is given up.", ko: "r\(number) 실행의 남은 변경은 버립니다.")
  }

  /// Returns the note that a run with the same key has ended.
  package static func hasEnded(_ run: Run, now: Timestamp) -> Message {
    let (age, counts) = (age(of: run.begun, now: now), counts(of: run))
    return .note(
      "\(run.name) has the same key and ended: \(age.english), \(counts.english). Nothing was sent.",
      ko: "같은 키의 \(run.name) 실행이 끝났습니다: \(age.korean), \(counts.korean). 아무것도 보내지 않았습니다.")
  }

  /// Returns the warning about runs that a line would repeat a part of.
  package static func question(_ conflicts: [RunConflict], now: Timestamp) -> Message {
    let isOpen = conflicts.contains { $0.run.life.state == .open }
    let message = Message(
      .warning,
      isOpen
        ? LocalizedText(
          "The same change is being made by a run that has not ended.", ko: "아직 끝나지 않은 실행이 같은 변경을 하고 있습니다.")
        : conflicts.contains(where: \.isSameUnit)
          ? LocalizedText("The same change is a part of a run that was interrupted.", ko: "중단된 실행에 같은 변경이 있습니다.")
          : LocalizedText(
            "A run that was interrupted made a change like this, or was to make it.",
            ko: "중단된 실행이 이와 같은 변경을 했거나 하려고 했습니다."))
    return conflicts.prefix(3).reduce(message) { $0.because(description(of: $1.run, now: now)) }
  }

  /// Returns the numbered answers, one a line.
  package static func answers(_ conflicts: [RunConflict], _ choices: [AdmissionChoice]) -> [LocalizedText] {
    let done = conflicts.reduce(0) { $0 + $1.run.counts.done }
    let rest = conflicts.reduce(0) { $0 + $1.run.counts.left }
    return choices.enumerated().map { index, choice in
      let words: LocalizedText =
        switch choice {
        case .resume where rest > 0:
          LocalizedText(
            "finish \(conflicts[0].run.name): the other \(rest)", ko: "\(conflicts[0].run.name) 마저 처리: 나머지 \(rest)건")
        case .resume:
          LocalizedText("check and complete \(conflicts[0].run.name)", ko: "\(conflicts[0].run.name) 확인하고 마무리")
        case .rest: LocalizedText("the new line, without what is done", ko: "이미 적용된 것을 빼고 새 명령")
        case .all where done > 0:
          LocalizedText("all of the line, so that the \(done) get it twice", ko: "명령 전체. \(done)건은 두 번 적용")
        case .all: LocalizedText("all of the line anew", ko: "명령 전체를 새로")
        case .undoFirst:
          LocalizedText("undo the \(done) first, then all of the line", ko: "\(done)건을 먼저 되돌리고 명령 전체")
        }
      return LocalizedText("  \(index + 1)  \(words.english)", ko: "  \(index + 1)  \(words.korean)")
    }
  }

  /// Returns the question about a batch that was stopped by Ctrl-C.
  package static func afterInterruption(_ run: Run) -> LocalizedText {
    let (name, counts) = (run.name, run.counts)
    let unknown =
      counts.unknown == 0
      ? LocalizedText("", ko: "")
      : LocalizedText(", \(counts.unknown) unknown", ko: ", 결과 미확인 \(counts.unknown)건")
    let undo =
      counts.done == 0
      ? LocalizedText("", ko: "")
      : LocalizedText(", u takes back the \(counts.done)", ko: ", u: 적용된 \(counts.done)건 되돌리기")
    return LocalizedText(
      "\(counts.left) not sent\(unknown.english). Enter keeps \(name), d forgets it\(undo.english): ",
      ko: "미전송 \(counts.left)건\(unknown.korean). Enter: \(name) 남겨 두기, d: 그대로 두고 버리기\(undo.korean): ")
  }

  /// Returns the prompt for the number of an answer.
  package static func prompt(_ count: Int) -> LocalizedText {
    let digits = (1...max(1, count)).map(String.init).joined(separator: ", ")
    return LocalizedText("\(digits), or Enter to send nothing: ", ko: "\(digits), 보내지 않으려면 Enter: ")
  }
}
