import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `handover FILE`: writes the work on a shop to one file, which `handover open FILE` takes into another home.
package struct HandoverCommand: Command {
  package static let declaration = CommandDeclaration(
    "handover", group: .account,
    summary: LocalizedText("hand the work on a shop over to another home", ko: "가게 일을 다른 사람에게 넘기기"),
    usage: ["handover FILE [without KIND,...]", "handover open FILE [take KIND,...]", "handover back"],
    details: LocalizedText(
      "Writes profiles without secrets, aliases, recipes, reports, recurring lines, open sales, the log with its undo data and pending changes to one file. A sale that is handed over does not run here any more; handover back returns it. resume asks in both homes before it goes on with pending changes. open shows what is new and what differs, and asks for each kind: \(HandoverFile.Kind.list). Without a terminal, take names the kinds.",
      ko:
        "시크릿을 뺀 프로필, 별칭, 레시피, 보고서, 반복할 줄, 끝나지 않은 할인, 되돌릴 수 있는 로그, 대기 중인 변경을 파일 하나로 저장합니다. 넘긴 할인은 여기서 더 실행되지 않으며 되찾으려면 handover back을 씁니다. 대기 중인 변경은 양쪽 모두 resume이 먼저 묻습니다. open은 새것과 다른 것을 보여 주고 종류마다 묻습니다: \(HandoverFile.Kind.list). 터미널이 아니면 take에 종류를 적습니다."
    ),
    traits: [.excludedFromSavedScripts],
    parameters: [
      Parameter(
        "FILE", .positional(required: false), kind: .file, summary: LocalizedText("file to write", ko: "저장할 파일")),
      Parameter(
        "open", .option, kind: .file, summary: LocalizedText("take what such a file contains", ko: "그런 파일에 든 것을 받기")),
      Parameter(
        "back", .flag, kind: .none,
        summary: LocalizedText("run the sales here again that nobody has taken", ko: "아무도 받지 않은 할인을 다시 여기서 실행")),
      Parameter(
        "take", .option, kind: .text,
        summary: LocalizedText(
          "take these kinds without asking: \(HandoverFile.Kind.list)",
          ko: "묻지 않고 받을 종류: \(HandoverFile.Kind.list)"), placeholder: "KIND,..."),
      Parameter(
        "without", .option, kind: .text,
        summary: LocalizedText("leave these kinds out", ko: "뺄 종류"), placeholder: "KIND,..."),
      Parameter(
        "yes", .flag, kind: .none,
        summary: LocalizedText(
          "do not ask; aliases, recurring lines, sales and pending changes are taken only if take names them",
          ko: "묻지 않음. 별칭, 반복할 줄, 할인, 대기 중인 변경은 take에 적어야 받음")),
      .replaceFlag,
    ],
    examples: [
      .init("handover shop.handover", "writes the file, and hands the open sales over", ko: "파일을 저장하고 끝나지 않은 할인을 넘김"),
      .init("handover shop.handover without sales", "the sales stay here", ko: "할인은 그대로 둠"),
      .init("handover open shop.handover", "shows what differs, and asks for each kind", ko: "다른 것을 보여 주고 종류마다 물음"),
      .init("handover open shop.handover take profiles,log", "only these, without asking", ko: "이것만, 묻지 않고"),
      .init("handover back", "takes the sales back", ko: "할인을 되찾음"),
    ])

  private enum Action {
    case write(String, without: Set<HandoverFile.Kind>)
    case open(String, taking: Set<HandoverFile.Kind>?)
    case back
  }

  private let action: Action
  private let saysYes: Bool
  private let replaces: Bool

  /// - Throws: `ParseError` without a file, and for an unknown kind.
  package init(_ invocation: ParsedCommand) throws {
    saysYes = invocation.has("yes")
    replaces = invocation.has("replace")
    if let file = invocation.text("open") {
      action = .open(file, taking: try invocation.text("take").map(HandoverCommand.kinds))
    } else if invocation.has("back") {
      action = .back
    } else if let file = invocation.text("FILE") {
      action = .write(file, without: try invocation.text("without").map(HandoverCommand.kinds) ?? [])
    } else {
      throw ParseError(
        LocalizedText("handover needs a file.", ko: "handover 뒤에는 파일을 적습니다."),
        suggestion: LocalizedText(
          "For example: \(.command("handover shop.handover"))", ko: "예: \(.command("handover shop.handover"))"))
    }
  }

  private static func kinds(_ text: String) throws(ParseError) -> Set<HandoverFile.Kind> {
    var kinds: Set<HandoverFile.Kind> = []
    for word in text.split(separator: ",").map({ String($0).trimmed }) {
      guard let kind = HandoverFile.Kind(rawValue: word) else {
        let list = HandoverFile.Kind.list.replacing(",", with: ", ")
        throw ParseError(
          LocalizedText("Unknown kind: \(.value(word)).", ko: "알 수 없는 종류: \(.value(word))."),
          suggestion: LocalizedText("Kinds: \(list).", ko: "종류는 \(list)입니다."))
      }
      kinds.insert(kind)
    }
    return kinds
  }

  /// - Throws: `FileError` for a file that can't be read or written; `CommandError` with exit status 4 if it isn't confirmed;
  ///   `JournalError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    switch action {
    case .write(let file, let omitted): try await write(file, without: omitted, in: &scope)
    case .open(let file, let taken): try await open(file, taking: taken, in: &scope)
    case .back: try await back(in: &scope)
    }
  }
}

// MARK: - Writing
extension HandoverCommand {
  private func write(
    _ file: String, without omitted: Set<HandoverFile.Kind>, in scope: inout CommandScope
  ) async throws -> CommandResult {
    let target = ProtectedOutputFile(file, scope.context)
    var contents = try HandoverCommand.contents(without: omitted, in: scope)
    let store = ScheduledPlanStore(scope.context.stores.home)
    var sales = omitted.contains(.sales) ? [] : HandoverCommand.openSales(store, in: scope)
    scope.say(HandoverCommand.summary(of: contents, sales: sales))
    // A second file must not be taken for one that has everything.
    if !omitted.contains(.sales), let note = store.handedOverNote(scope) { scope.say(note) }
    for sale in sales { scope.say(Message(.note, sale.summary)) }
    if let result = scope.resultWithoutSaving { return result }
    try await target.confirmOverwrite(replacing: replaces, scope.session)
    if !sales.isEmpty, try await !handsOver(sales, in: scope) { sales = [] }
    let lock = sales.isEmpty ? nil : try await store.lock(scope.context.program.interruption, scope.context.clock)
    defer { withExtendedLifetime(lock) {} }
    // Another shell may have started, ended or added one in the meantime.
    guard sales.isEmpty || HandoverCommand.openSales(store, in: scope) == sales else {
      throw CommandError(
        .blocked,
        .failure(
          "The sales were changed by another openmarket. Nothing was saved.",
          ko: "다른 openmarket에서 할인을 바꾸었습니다. 저장하지 않았습니다."
        ).next("Run the command again.", ko: "다시 실행하세요."), code: .busy)
    }
    for sale in sales {
      guard case .rule(let plan, _, let progress) = sale.form else { continue }
      contents.sales.append(
        HandoverFile.SaleItem(plan: plan.contents.text, progress: progress == SaleProgress() ? nil : progress.text))
    }
    scope.context.stores.remember(scope.session.secrets)
    let secrets = scope.context.stores.secrets
    // Another shell may have logged in since this one began.
    secrets.add(typed: try CredentialStore(scope.context.stores.home).secrets())
    let (data, left) = try contents.contents { secrets.occur(in: $0) }
    try HandoverCommand.check(data, in: scope)
    // If this ends before the file is written, the sales come back by `handover back`, and `resume` asks once too often.
    let away = store.handedOver
    var moved: [ScheduledSale] = []
    var runs: [Int: String] = [:]
    let pending = contents.log.pending.filter { !left.contains("pending change \($0.write.id)") }
    do {
      if !pending.isEmpty { runs = try scope.context.stores.journal().handOver(runsOf: pending.map(\.write.id)) }
      for sale in sales where !left.contains("sale \((sales.firstIndex(of: sale) ?? 0) + 1)") {
        try store.move(sale, to: away)
        moved.append(sale)
      }
      try target.write(data, isPrivate: true)
    } catch {
      for sale in away.sales(scope.session.limits).sales where moved.contains(where: { $0.number == sale.number }) {
        try? away.move(sale, to: store)
      }
      try? scope.context.stores.journal().undoHandover(runs)
      throw error
    }
    return .message(HandoverCommand.written(to: target.path, sales: moved, omitted: left, log: contents.log))
  }

  /// Returns the work of this home except its sales.
  private static func contents(
    without omitted: Set<HandoverFile.Kind>, in scope: CommandScope
  ) throws -> HandoverFile {
    let home = scope.context.stores.home
    var contents = HandoverFile()
    contents.made = scope.context.clock.timestamp
    contents.maker = scope.context.program.account()
    if !omitted.contains(.profiles) {
      for (name, profile) in try ProfileStore(home).load().sorted(by: { $0.key < $1.key }) {
        var settings: [String: String] = [:]
        for setting in ProfileSetting.all where !HandoverReview.machineSettings.contains(setting.name) {
          settings[setting.name] = setting.get(profile)
        }
        // The file of a description is one of this machine.
        if let api = settings["api"], Edition(rawValue: api) == nil { settings["api"] = nil }
        let weather = profile.weatherTOML
        guard name != ServerConfiguration.demo || !settings.isEmpty || weather != nil else { continue }
        contents.profiles.append(.init(name: name, settings: settings, weather: weather))
      }
    }
    if !omitted.contains(.aliases) {
      let aliases = try AliasStore(home, scope.context.program.commands.grammar).load()
      contents.aliases = aliases.sorted { $0.key < $1.key }.map { .init(name: $0.key, line: $0.value) }
    }
    if !omitted.contains(.recipes) { contents.recipes = try HandoverTables(.recipes, in: home).items() }
    if !omitted.contains(.reports) { contents.reports = try HandoverTables(.reports, in: home).items() }
    if !omitted.contains(.every) {
      contents.recurring = try RecurringLineStore(home).lines().map {
        .init(days: $0.recurrence.days, time: $0.recurrence.time, line: $0.text, profile: $0.profile)
      }
    }
    if !omitted.isSuperset(of: [.log, .pending]), Journal.exists(in: home.journalFolder) {
      contents.log = try scope.context.stores.journal().handedOver(
        maximumPictureBytes: HandoverFile.maximumPictureBytes)
      if omitted.contains(.log) { contents.log.writes = [] }
      if omitted.contains(.pending) { contents.log.pending = [] }
    }
    return contents
  }

  private static func openSales(_ store: ScheduledPlanStore, in scope: CommandScope) -> [ScheduledSale] {
    let (sales, unreadable) = store.sales(scope.session.limits)
    for failure in unreadable { scope.say(failure.message) }
    return sales.filter { if case .rule = $0.form { true } else { false } }
  }

  /// Asks whether the sales are handed over; without a user to ask, only `yes` says so.
  private func handsOver(_ sales: [ScheduledSale], in scope: CommandScope) async throws -> Bool {
    if saysYes || scope.context.program.assumesYes { return true }
    guard scope.context.program.asker != nil else {
      throw CommandError(
        .blocked,
        .failure(
          "\(sales.count) open \(sales.count == 1 ? StyledText("sale") : "sales") would not run here any more. Nothing was saved.",
          ko: "끝나지 않은 할인 \(sales.count)건이 여기서 더 실행되지 않게 됩니다. 저장하지 않았습니다."
        ).next(
          "Add \(.command("yes")) to hand them over, or \(.command("without sales")).",
          ko: "넘기려면 \(.command("yes"), .object), 그대로 두려면 \(.command("without sales"), .object) 붙이세요."),
        code: .notConfirmed)
    }
    return await scope.isConfirmed(
      LocalizedText(
        "Hand over \(sales.count) \(sales.count == 1 ? StyledText("sale") : "sales")? They do not run here any more. [y/N] ",
        ko: "할인 \(sales.count)건을 넘길까요? 여기서는 더 실행되지 않습니다. [y/N] "))
  }

  /// Throws if the bytes of the file contain a stored secret.
  private static func check(_ data: Data, in scope: CommandScope) throws {
    // The identifier isn't among them: the log has it as the login of each write.
    let own = scope.session.credentials.secret.map { [$0] } ?? []
    let stored = try CredentialStore(scope.context.stores.home).secrets() + own
    // A shorter one occurs in pictures by chance; no text with it is in the file.
    let texts = stored.map { $0.reveal() }.filter { $0.utf8.count >= 8 }
    guard texts.contains(where: { data.range(of: Data($0.utf8)) != nil }) else { return }
    throw CommandError(
      .blocked,
      .failure(
        "The file would contain a secret. It was not saved.", ko: "파일에 시크릿이 들어가게 되어 저장하지 않았습니다."
      ).next(
        "Add \(.command("without log")) or \(.command("without aliases")).",
        ko: "\(.command("without log")) 또는 \(.command("without aliases"), .object) 붙이세요."))
  }

  private static func summary(of contents: HandoverFile, sales: [ScheduledSale]) -> Message {
    let (profiles, aliases) = (contents.profiles.count, contents.aliases.count)
    let (recipes, reports, log) = (contents.recipes.count, contents.reports.count, contents.log.writes.count)
    let pending = contents.log.pending.count
    var message = Message.note(
      "The file contains: profiles \(profiles), aliases \(aliases), recipes \(recipes), reports \(reports), recurring lines \(contents.recurring.count), sales \(sales.count), log entries \(log), pending changes \(pending).",
      ko:
        "파일에 들어가는 것: 프로필 \(profiles), 별칭 \(aliases), 레시피 \(recipes), 보고서 \(reports), 반복할 줄 \(contents.recurring.count), 할인 \(sales.count), 로그 \(log), 대기 중인 변경 \(pending)."
    )
    message = message.because(
      "Secrets, programs that print them, proxies and certificates stay here.",
      ko: "시크릿, 시크릿을 출력하는 프로그램, 프록시, 인증서는 넣지 않습니다.")
    if !contents.recurring.isEmpty {
      message = message.because(
        "The recurring lines still run here too, until \(.command("every rm N")).",
        ko: "반복할 줄은 여기서도 계속 실행됩니다. 지우려면 \(.command("every rm N"), .object) 쓰세요.")
    }
    if pending > 0 {
      message = message.because(
        "Either home can finish the pending changes with \(.command("resume")), which asks first. Lines of a script that were not begun are not in the file.",
        ko: "대기 중인 변경은 어느 쪽에서나 \(.command("resume"), .toward) 마칠 수 있고, 먼저 묻습니다. 스크립트에서 시작하지 않은 줄은 넣지 않습니다.")
    }
    return message
  }

  private static func written(
    to path: String, sales: [ScheduledSale], omitted: [String], log: HandedOverLog
  ) -> Message {
    var message = Message.success("Saved to \(.value(path)).", ko: "\(.value(path))에 저장했습니다.")
    if !sales.isEmpty {
      let list = sales.map { String($0.number) }.joined(separator: ", ")
      message = message.because(
        "These sales are handed over and do not run here any more: \(list).", ko: "넘긴 할인(여기서는 더 실행되지 않음): \(list).")
    }
    if !omitted.isEmpty {
      let list = omitted.prefix(10).joined(separator: ", ") + (omitted.count > 10 ? ", …" : "")
      message = message.because("Left out, because they contain a secret: \(list).", ko: "시크릿이 들어 있어 뺀 것: \(list).")
    }
    if log.missingPictureCount > 0 {
      message = message.because(
        "\(log.missingPictureCount) pictures for undo are not in it.",
        ko: "되돌리기용 사진 \(log.missingPictureCount)장은 들어 있지 않습니다.")
    }
    return message.next(
      "In the other home, run \(.command("handover open FILE")). Only one home may take the sales.",
      ko: "다른 홈에서 \(.command("handover open FILE"), .object) 실행하세요. 할인은 한 곳에서만 받아야 합니다.")
  }
}

// MARK: - Opening
extension HandoverCommand {
  private func open(
    _ path: String, taking named: Set<HandoverFile.Kind>?, in scope: inout CommandScope
  ) async throws -> CommandResult {
    let file = try HandoverFile(Paths.expanded(path, home: scope.context.program.environment["HOME"]))
    let review = try HandoverReview(file, in: scope)
    show(file, review, in: scope)
    guard !review.kinds.isEmpty else {
      return .message(.note("There is nothing to take.", ko: "받을 것이 없습니다."))
    }
    if let result = scope.resultWithoutSaving { return result }
    var left: [HandoverFile.Kind] = []
    var taken = 0
    for kind in review.kinds {
      guard try await isTaken(kind, count: review.count(of: kind), named: named, in: scope) else {
        left.append(kind)
        continue
      }
      try await take(kind, review, in: &scope)
      taken += 1
    }
    let list = left.map(\.rawValue).joined(separator: ", ")
    guard taken > 0 else {
      throw CommandError(
        .blocked,
        .failure("Nothing was taken.", ko: "아무것도 받지 않았습니다.")
          .next(
            "Name the kinds: \(.command("take \(left.map(\.rawValue).joined(separator: ","))"))",
            ko: "종류를 적으세요: \(.command("take \(left.map(\.rawValue).joined(separator: ","))"))"), code: .notConfirmed)
    }
    guard !left.isEmpty else { return .empty }
    return .message(.note("Not taken: \(list).", ko: "받지 않은 것: \(list)."))
  }

  /// Shows the items of the file and how they differ from this home, in full: an alias is code.
  private func show(_ file: HandoverFile, _ review: HandoverReview, in scope: CommandScope) {
    let maker = file.maker ?? "-"
    scope.say(
      .note(
        "Handed over by \(.foreign(maker)) at \(LocalTime(file.made).description), as the file says.",
        ko: "파일에 적힌 바로는 \(.foreign(maker)), \(LocalTime(file.made).description)에 넘긴 것."))
    for kind in HandoverFile.Kind.allCases {
      let (count, known) = (review.count(of: kind), review.known[kind] ?? 0)
      guard count + known > 0 else { continue }
      let word = kind.word
      var message = Message.note(
        "\(word[.english]): \(count) new or different, \(known) already here",
        ko: "\(word[.korean]): 새것이나 다른 것 \(count), 이미 있는 것 \(known)")
      for line in review.lines[kind] ?? [] { message = message.because(line) }
      scope.say(message)
    }
    if !review.refused.isEmpty {
      var message = Message.warning("These cannot be taken:", ko: "받을 수 없는 것:")
      for reason in review.refused { message = message.because(reason) }
      scope.say(message)
    }
    if !file.unknown.isEmpty {
      let list = file.unknown.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
      scope.say(
        .warning("This version does not know: \(.foreign(list)).", ko: "이 버전이 모르는 항목: \(.foreign(list))."))
    }
  }

  /// Returns whether a kind is taken: by its name in the line, by `yes`, or by the answer.
  private func isTaken(
    _ kind: HandoverFile.Kind, count: Int, named: Set<HandoverFile.Kind>?, in scope: CommandScope
  ) async throws -> Bool {
    if let named { return named.contains(kind) }
    if saysYes || scope.context.program.assumesYes, !kind.isNamedToBeTaken { return true }
    guard scope.context.program.asker != nil else { return false }
    let counted = kind.counted(count)
    let consequence =
      switch kind {
      case .sales:
        LocalizedText(
          " From now on only this home starts and ends them.", ko: " 이제 여기서만 시작하고 끝냅니다.")
      case .every: LocalizedText(" They are for the timer of this home.", ko: " 이 홈의 타이머가 실행할 줄입니다.")
      case .aliases: LocalizedText(" They run the lines above.", ko: " 위의 명령을 실행하게 됩니다.")
      case .pending: LocalizedText(" The other home may finish them too.", ko: " 다른 쪽에서도 마칠 수 있습니다.")
      case .profiles, .recipes, .reports, .log: LocalizedText("", ko: "")
      }
    return await scope.isConfirmed(
      LocalizedText(
        "Take \(counted.english)?\(consequence.english) [y/N] ",
        ko: "\(counted.korean), 받을까요?\(consequence.korean) [y/N] "))
  }

  private func take(
    _ kind: HandoverFile.Kind, _ review: HandoverReview, in scope: inout CommandScope
  ) async throws {
    let home = scope.context.stores.home
    let commands = scope.context.program.commands
    let count = review.count(of: kind)
    switch kind {
    case .profiles:
      for (name, profile) in review.profiles { try ProfileStore(home).set(name, profile) }
      scope.say(
        HandoverCommand.took(kind, count)
          .next("Switch to one and run \(.command("login")).", ko: "그 프로필에서 \(.command("login"), .object) 실행하세요."))
    case .aliases:
      let store = AliasStore(home, commands.grammar)
      for alias in review.aliases {
        try store.set(alias.name, alias.line)
        scope.session.aliases[alias.name] = alias.line
      }
      scope.say(HandoverCommand.took(kind, count))
    case .recipes, .reports:
      try HandoverTables(kind, in: home).set(review.tables[kind] ?? [])
      scope.say(HandoverCommand.took(kind, count))
    case .every:
      let store = RecurringLineStore(home)
      let folder = FileManager.default.currentDirectoryPath
      for (item, recurrence) in review.recurring {
        _ = try store.add(
          RecurringLine(
            number: 0, recurrence: recurrence, text: item.line, profile: item.profile,
            folder: folder, since: scope.context.clock.seconds, maker: scope.actor))
      }
      var message = HandoverCommand.took(kind, count)
        .because("The timer runs them in \(.value(folder)).", ko: "타이머는 \(.value(folder))에서 실행합니다.")
        .next("Run \(.command("every")) to see them.", ko: "\(.command("every"))에서 볼 수 있습니다.")
      if let hint = await scope.timerHint() { message = message.next(hint) }
      scope.say(message)
    case .sales: try await takeSales(review.sales, in: scope)
    case .pending:
      let count = try review.takeLog(pending: true, into: scope.context.stores.journal())
      scope.say(
        HandoverCommand.took(kind, count).next(
          "Log in to the profile and run \(.command("resume")), which asks first.",
          ko: "그 프로필에 로그인해 \(.command("resume"), .object) 실행하세요. 먼저 묻습니다."))
    case .log:
      let count = try review.takeLog(pending: false, into: scope.context.stores.journal())
      scope.say(
        HandoverCommand.took(kind, count).because(
          "\(.command("undo")) without a number means the changes of this home.",
          ko: "번호 없는 \(.command("undo"), .topic) 이 홈의 변경만 되돌립니다."
        )
        .next("Run \(.command("log")) to see them.", ko: "\(.command("log"))에서 볼 수 있습니다."))
    }
  }

  private static func took(_ kind: HandoverFile.Kind, _ count: Int) -> Message {
    let counted = kind.counted(count)
    return .success("Took \(counted.english).", ko: "받은 것: \(counted.korean).")
  }

  private func takeSales(_ sales: [HandoverReview.ReviewedSale], in scope: CommandScope) async throws {
    let store = ScheduledPlanStore(scope.context.stores.home)
    let lock = try await store.lock(scope.context.program.interruption, scope.context.clock)
    defer { withExtendedLifetime(lock) {} }
    var numbers: [Int] = []
    for sale in sales {
      if let returning = sale.returning {
        try store.handedOver.move(returning, to: store)
        numbers.append(returning.number)
      } else if try !store.hasNumber(sale.plan) {
        let day = sale.plan.notBefore.map { String(LocalTime($0).description.prefix(10)) } ?? "taken"
        let progress = sale.progress == SaleProgress() ? nil : sale.progress
        numbers.append(try store.add(sale.plan, named: "sale-\(day)", scope.session.limits, progress: progress))
      }
    }
    let list = numbers.map { String($0) }.joined(separator: ", ")
    var message = HandoverCommand.took(.sales, numbers.count)
      .because("In this home: \(list).", ko: "이 홈의 번호: \(list).")
      .next(
        "Run \(.command("due")) to see them, and \(.command("due apply")) to start or end those that are due.",
        ko: "\(.command("due"))에서 보고, 시각이 된 것은 \(.command("due apply"))로 시작하거나 끝내세요.")
    if let hint = await scope.timerHint() { message = message.next(hint) }
    scope.say(message)
  }
}

// MARK: - Returning
extension HandoverCommand {
  private func back(in scope: inout CommandScope) async throws -> CommandResult {
    let store = ScheduledPlanStore(scope.context.stores.home)
    let (sales, unreadable) = store.handedOver.sales(scope.session.limits)
    for failure in unreadable { scope.say(failure.message) }
    guard !sales.isEmpty else {
      return .message(.note("No sale is handed over.", ko: "넘긴 할인이 없습니다."))
    }
    for sale in sales { scope.say(Message(.note, sale.summary)) }
    if let result = scope.resultWithoutSaving { return result }
    if !saysYes, !scope.context.program.assumesYes {
      try await scope.confirm(
        LocalizedText(
          "Run them here again? Nobody else must have taken them. [y/N] ",
          ko: "다시 여기서 실행할까요? 다른 곳에서 받지 않았어야 합니다. [y/N] "),
        unattended: .failure("Not confirmed. The sales were not changed.", ko: "확인이 필요합니다. 할인을 바꾸지 않았습니다.")
          .next("Add \(.command("yes")) to the command.", ko: "명령 끝에 \(.command("yes"), .object) 붙이세요."),
        declined: .note("The sales stay handed over.", ko: "할인은 넘긴 상태로 두었습니다."))
    }
    let lock = try await store.lock(scope.context.program.interruption, scope.context.clock)
    defer { withExtendedLifetime(lock) {} }
    for sale in sales { try store.handedOver.move(sale, to: store) }
    let list = sales.map { String($0.number) }.joined(separator: ", ")
    return .message(.success("These sales run here again: \(list).", ko: "다시 여기서 실행되는 할인: \(list)."))
  }
}

extension ScheduledPlanStore {
  /// Returns a note about the sales that were handed over, or `nil` if there are none.
  func handedOverNote(_ scope: CommandScope) -> Message? {
    let sales = handedOver.sales(scope.session.limits).sales
    guard !sales.isEmpty else { return nil }
    let list = sales.map { String($0.number) }.joined(separator: ", ")
    return .note(
      "Handed over to another home, and not run here: \(list).", ko: "다른 곳에 넘겨 여기서는 실행되지 않는 할인: \(list)."
    ).next(
      "Run \(.command("handover back")) to run them here again.",
      ko: "되찾으려면 \(.command("handover back"), .object) 실행하세요.")
  }
}
