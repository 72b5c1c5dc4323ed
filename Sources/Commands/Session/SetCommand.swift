import CommandLanguage
import Presentation
import ShellRuntime
import Text

/// `set`: shows or changes settings.
package struct SetCommand: Command {
  package static let declaration = CommandDeclaration(
    "set", group: .session, summary: LocalizedText("show or change settings", ko: "설정 보기, 바꾸기"),
    usage: ["set", "set NAME", "set NAME VALUE [here]"],
    details: LocalizedText(
      "Without a name, it lists all settings with their values. set NAME shows one setting.",
      ko: "이름이 없으면 모든 설정과 값을 표시합니다. set NAME은 설정 하나를 표시합니다."), producesData: true,
    parameters: [
      Parameter(
        "NAME", .positional(required: false), kind: .setting, summary: LocalizedText("setting name", ko: "설정 이름")),
      Parameter("VALUE", .positional(required: false), kind: .text, summary: LocalizedText("new value", ko: "새 값")),
      .here,
    ],
    examples: [
      .init("set", "lists all settings", ko: "모든 설정"),
      .init("set page-size 50", "shows 50 products per page", ko: "페이지당 50개"),
      .init("set lang ko", "switches messages to Korean, also in later sessions", ko: "한국어로, 다음 세션에도"),
      .init("set pager off here", "for this session only", ko: "이번 세션에만"),
    ])

  private let setting: Setting?
  private let value: String?
  private let isStored: Bool

  /// - Throws: `ParseError` for an unknown setting.
  package init(_ invocation: ParsedCommand) throws {
    value = invocation.text("VALUE")
    isStored = !invocation.has("here")
    guard let name = invocation.text("NAME") else {
      setting = nil
      return
    }
    guard let found = Setting.byName[name] else {
      throw ParseError(
        LocalizedText("Unknown setting: \(.value(name)).", ko: "\(.value(name)) 설정은 없습니다."),
        suggestion: LocalizedText(
          "Settings: \(Setting.all.map(\.name).joined(separator: ", "))",
          ko: "설정: \(Setting.all.map(\.name).joined(separator: ", "))"))
    }
    setting = found
  }

  /// - Throws: `ParseError` for a value that the setting can't have.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    guard let setting else { return .rows(SetCommand.table(Setting.all, scope.session)) }
    guard let value else { return .rows(SetCommand.table([setting], scope.session)) }
    guard setting.set(&scope.session, value) else { throw refusal(setting, value) }
    if isStored { scope.session.persistSetting(setting.name, value, in: scope.context) }
    let isTyped = scope.session.script.stack.isEmpty && !scope.session.script.isReading
    guard setting.name == Setting.confirmName, isStored, isTyped else { return .empty }
    return CommandResult(.message(SetCommand.confirmation(value, scope.session)))
  }

  /// Returns the note that the setting is the profile's, and holds in this session alone otherwise.
  private static func confirmation(_ value: String, _ session: Session) -> Message {
    let note = Message.note(
      "\(.field(Setting.confirmName)) is \(.value(value)) for this session only.",
      ko: "\(.field(Setting.confirmName)) 설정 \(.value(value)), 이번 세션에만 적용됩니다.")
    guard let profile = session.server.profile?.value else { return note }
    let line = "profile \(Quoting.quote(profile)) confirm=\(value)"
    return note.next("To keep it, run \(.command(line)).", ko: "계속 쓰려면 \(.command(line), .object) 실행하세요.")
  }

  private static func table(_ settings: [Setting], _ session: Session) -> Table {
    Table(
      [
        .init("name", LocalizedText("setting", ko: "설정")), .init("value", LocalizedText("value", ko: "값")),
        .init("summary", LocalizedText("description", ko: "설명")),
      ],
      rows: settings.map { [.text($0.name), .text($0.get(session)), .localized($0.summary)] })
  }

  private func refusal(_ setting: Setting, _ value: String) -> ParseError {
    let allowed: String =
      switch setting.kind {
      case .choice(let choices): choices.joined(separator: ", ")
      case .number(let range): "\(range.lowerBound)-\(range.upperBound)" + (setting.extraValue.map { ", " + $0 } ?? "")
      case .text, .decimal, .field, .fieldAmong, .fields, .target, .file, .files, .currency, .profile, .vendor,
        .setting, .snapshot, .recipe, .report, .command,
        .expression, .line, .sql, .writeNumber, .batchNumber, .writeOrRun, .rate, .productAssignments,
        .namedAssignments, .none:
        ""
      }
    return ParseError(
      LocalizedText(
        "Invalid value for \(.field(setting.name)): \(.value(value)).",
        ko: "\(.field(setting.name))에 \(.value(value), .object) 쓸 수 없습니다."),
      suggestion: LocalizedText("Allowed values: \(allowed)", ko: "쓸 수 있는 값: \(allowed)"))
  }
}

extension Parameter {
  /// The option of commands whose choice is saved for later sessions.
  static let here = Parameter(
    "here", .flag, kind: .none, summary: LocalizedText("for this session only", ko: "이번 세션에만 적용"))
}
