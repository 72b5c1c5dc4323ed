import CommandLanguage
import Foundation
import MarketAPI
import Networking
import OrderedCollections
import Platform
import Presentation
import ShellRuntime
import Text
import WeatherAPI
import WriteJournal

/// `profile`: lists, selects, adds, changes and removes profiles.
package struct ProfileCommand: Command {
  package static let declaration = CommandDeclaration(
    "profile", group: .account, summary: LocalizedText("list, switch, add or remove profiles", ko: "프로필 선택, 추가, 삭제"),
    usage: [
      "profile", "profile NAME", "profile NAME KEY=VALUE...", "profile add NAME url=URL [KEY=VALUE...]",
      "profile rm NAME [yes]", "profile default [NAME]", "profile only NAME [URL]",
    ],
    details: LocalizedText(
      "A profile is a named server with its API edition, credentials and settings. Without a name, profile lists them.",
      ko: "프로필은 이름을 붙인 서버로, API 버전과 로그인 정보, 설정을 담습니다. 이름이 없으면 목록을 표시합니다."),
    producesData: true,
    parameters: [
      Parameter(
        "NAME", .rest(required: false), kind: .profile,
        summary: LocalizedText(
          "NAME, add NAME, rm NAME, default [NAME] or only NAME [ADDRESS]",
          ko: "이름, add 이름, rm 이름, default [이름], only 이름 [주소]")),
      Parameter(
        "KEY=VALUE", .assignments,
        kind: .namedAssignments(
          ProfileSetting.all.map { AssignableSetting($0.name, summary: $0.summary, kind: $0.kind) } + ["weather_key"]),
        summary: LocalizedText(
          "profile values; NAME= unsets one; weather_key=@file reads a file", ko: "프로필의 값; 이름=은 값을 지움; weather_key=@파일")
      ),
      Parameter("yes", .flag, kind: .none, summary: LocalizedText("do not ask", ko: "확인하지 않음")),
    ],
    examples: [
      .init("profile", "lists all profiles", ko: "프로필 목록"),
      .init("profile demo", "switches to the built-in market", ko: "내장 마켓으로"),
      .init("profile add shop url=https://openmarket.example.com api=open", "adds a profile", ko: "새 프로필"),
      .init("profile shop timeout=", "restores the default timeout", ko: "제한 시간을 기본값으로"),
      .init("profile default shop", "starts with this profile (initially: demo)", ko: "시작할 때 쓸 프로필(기본: demo)"),
      .init("profile rm shop", "removes the profile shop", ko: "프로필 삭제"),
      .init("profile only demo", "in a script, continues only with this profile", ko: "스크립트에서 이 프로필일 때만 계속"),
    ])

  private enum Action: Hashable {
    case list, choose(String), add(String), remove(String)
    case only(String, address: String?)
    case showDefault, chooseDefault(String)
  }

  /// Words with a meaning of their own, which are no names of profiles.
  private static let words: Set = ["add", "rm", "only", "default"]

  private let action: Action
  private let assignments: [Assignment]
  private let saysYes: Bool
  /// The path of the file that contains the key of the weather service.
  private let weatherKey: String?

  /// - Throws: `ParseError` for words other than a name, `add NAME`, `rm NAME` and `only NAME`.
  package init(_ invocation: ParsedCommand) throws {
    let words = invocation.all("NAME")
    saysYes = invocation.has("yes")
    // `profile add slow http://…`: the address is the profile's URL.
    let address = words.count == 3 && words[0] == "add" && words[2].contains("://") ? words[2] : nil
    assignments =
      invocation.assignments.filter { $0.name != "weather_key" }
      + (address.map { [Assignment("url", .set, to: $0, range: 0..<0)] } ?? [])
    // A key that is typed on the line was rejected when the line was parsed.
    weatherKey = invocation.assignments.first { $0.name == "weather_key" && $0.isFile }?.value
    switch (words.first, words.count) {
    case (nil, _): action = .list
    case ("add", 2): action = .add(words[1])
    case ("add", 3) where address != nil && !invocation.assignments.contains { $0.name == "url" }:
      action = .add(words[1])
    case ("rm", 2): action = .remove(words[1])
    case ("only", 2): action = .only(words[1], address: nil)
    case ("only", 3): action = .only(words[1], address: words[2])
    case ("default", 1) where invocation.assignments.isEmpty: action = .showDefault
    case ("default", 2) where invocation.assignments.isEmpty: action = .chooseDefault(words[1])
    case (let name?, 1) where !ProfileCommand.words.contains(name):
      action = invocation.assignments.isEmpty ? .choose(name) : .add(name)
    default:
      throw ParseError(
        LocalizedText(
          "profile needs a name, add NAME, rm NAME, default NAME or only NAME.",
          ko: "profile 뒤에는 이름, add 이름, rm 이름, default 이름, only 이름 중 하나를 적습니다."),
        suggestion: LocalizedText(
          "For example: \(.command("profile add shop https://…"))", ko: "예: \(.command("profile add shop https://…"))"))
    }
  }

  /// - Throws: `CommandError` for an unknown profile, and for removing `demo`; `ParseError` for an invalid name or field;
  ///   `FileError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let store = ProfileStore(scope.context.stores.home)
    let profiles = try store.load()
    switch action {
    case .list:
      return .rows(table(profiles, startingIn: try store.defaultName(), scope.session))
    case .choose(let name):
      guard profiles[name] != nil else { throw CommandError.unknownProfile(name, of: profiles.keys) }
      let opened = try scope.context.opening.session(profile: Sourced(name, .option), settings: scope.session.settings)
      scope.session.move(to: opened)
      return .message(.success("Switched to profile \(.value(name)).", ko: "이제 \(.value(name)) 프로필입니다."))
    case .add(let name): return try await add(name, to: profiles, in: &scope)
    case .remove(let name):
      guard name != ServerConfiguration.demo else {
        throw CommandError(
          .blocked,
          .failure(
            "Profile \(.value(name)) is the built-in market and cannot be removed.",
            ko: "\(.value(name)) 프로필은 내장 마켓이라 삭제할 수 없습니다."))
      }
      guard profiles[name] != nil else { throw CommandError.unknownProfile(name, of: profiles.keys) }
      let isCurrent = scope.session.server.profile?.value == name
      if isCurrent { try await confirmRemoval(of: name, scope) }
      let isDefault = try store.defaultName() == name
      try store.set(name, nil)
      try CredentialStore(scope.context.stores.home).save(nil, for: name)
      try CredentialStore(scope.context.stores.home).save(weatherKey: nil, for: name)
      var message = Message.success("Removed profile \(.value(name)).", ko: "\(.value(name)) 프로필을 삭제했습니다.")
      if isDefault {
        message = message.because(
          "openmarket starts with profile \(.value(ServerConfiguration.demo)) again.",
          ko: "다시 \(.value(ServerConfiguration.demo)) 프로필로 시작합니다.")
      }
      guard isCurrent else { return .message(message) }
      scope.session.move(
        to: try scope.context.opening.session(
          profile: Sourced(ServerConfiguration.demo, .default), settings: scope.session.settings))
      return .message(
        message.because(
          "Switched to profile \(.value(ServerConfiguration.demo)).",
          ko: "\(.value(ServerConfiguration.demo)) 프로필로 전환했습니다."
        ))
    case .showDefault: return .message(ProfileCommand.starting(in: try store.defaultName()))
    case .chooseDefault(let name):
      guard profiles[name] != nil else { throw CommandError.unknownProfile(name, of: profiles.keys) }
      let start = name == ServerConfiguration.demo ? nil : name
      try store.setDefault(start)
      return .message(ProfileCommand.starting(in: start))
    case .only(let name, let address):
      try ProfileCommand.require(name, address: address, session: scope.session)
      return .empty
    }
  }

  private static func starting(in name: String?) -> Message {
    guard let name else {
      return .note(
        "openmarket starts with profile \(.value(ServerConfiguration.demo)), the built-in market.",
        ko: "내장 마켓 프로필 \(.value(ServerConfiguration.demo), .toward) 시작합니다."
      ).next(
        "Run \(.command("profile default NAME")) to choose another profile.",
        ko: "다른 프로필로 시작하려면 \(.command("profile default 이름"), .object) 실행하세요.")
    }
    return .note("openmarket starts with profile \(.value(name)).", ko: "\(.value(name)) 프로필로 시작합니다.")
      .next(
        "Run \(.command("profile default demo")) to start with the built-in market again.",
        ko: "다시 내장 마켓으로 시작하려면 \(.command("profile default demo"), .object) 실행하세요.")
  }

  /// Asks before the profile at hand is removed with its secret.
  private func confirmRemoval(of name: String, _ scope: CommandScope) async throws {
    if saysYes || scope.context.program.assumesYes { return }
    let question = LocalizedText(
      "Profile \(.value(name)) is in use. Remove it and its secret? [y/N] ",
      ko: "사용 중인 프로필입니다. \(.value(name)) 프로필과 시크릿을 삭제할까요? [y/N] ")
    try await scope.confirm(
      question,
      unattended: .failure(
        "Profile \(.value(name)) is in use. It was not removed.", ko: "사용 중인 프로필입니다: \(.value(name)). 삭제하지 않았습니다."
      ).next("Add \(.command("yes")) to the command.", ko: "명령 끝에 \(.command("yes"), .object) 붙이세요."),
      declined: .note("The profile was not removed.", ko: "프로필을 삭제하지 않았습니다."))
  }

  /// Prevents a script that was saved for one profile and address from running with another.
  private static func require(_ name: String, address: String?, session: Session) throws {
    let here = session.server.profile?.value ?? "-"
    let url = session.server.url?.value.absoluteString
    guard here != name || address != nil && address != url else { return }
    let wanted = address.map { name + " (" + $0 + ")" } ?? name
    let found = url.map { here + " (" + $0 + ")" } ?? here
    throw CommandError(
      .blocked,
      .failure("This script is for another profile. Nothing was sent.", ko: "다른 프로필용 스크립트입니다. 아무것도 보내지 않았습니다.")
        .because(
          "Expected profile: \(.value(wanted)). Current profile: \(.value(found)).",
          ko: "필요한 프로필: \(.value(wanted)). 현재 프로필: \(.value(found))."
        ).next(
          "Start with \(.command("--profile \(name)")), or change the \(.command("profile only")) line to run it here.",
          ko: "\(.command("--profile \(name)"), .toward) 시작하세요. 현재 프로필에서 실행하려면 \(.command("profile only")) 줄을 고치세요."))
  }

  private func add(
    _ name: String, to profiles: [String: Profile], in scope: inout CommandScope
  ) async throws -> CommandResult {
    guard ProfileCommand.isProfileName(name) || profiles[name] != nil else {
      throw ParseError(
        LocalizedText(
          "Use letters, digits, - and _ in a profile name, and none of the words add, rm, default, only.",
          ko: "프로필 이름에는 문자, 숫자, -, _를 쓰고, add, rm, default, only는 쓸 수 없습니다."))
    }
    if name == ServerConfiguration.demo, assignments.contains(where: { $0.name == "url" }) {
      throw ProfileCommand.demoMoves
    }
    let old = profiles[name]
    var profile = try applyingAssignments(old ?? Profile(), home: scope.context.program.environment["HOME"])
    guard name == ServerConfiguration.demo || profile.url != nil else {
      throw ParseError(
        LocalizedText("A profile needs url=…", ko: "프로필에는 url=…이 필요합니다."),
        suggestion: LocalizedText(
          "For example: \(.command("profile add NAME url=https://… api=open"))",
          ko: "예: \(.command("profile add 이름 url=https://… api=open"))"))
    }
    let move = ProfileServerChange(name, from: old, to: profile)
    // The id belongs to the vendor at the old server.
    if move != nil, !assignments.contains(where: { $0.name == "vendor_id" }) { profile.vendorID = nil }
    // The secret that the program prints is meant for the old server.
    if move != nil, !assignments.contains(where: { $0.name == "secret_command" }) { profile.secretCommand = nil }
    // Done before the new address is saved: if anything fails in between, no secret is stored with that address.
    var isForgotten = try move?.forget(in: scope.context.stores.home) ?? false
    try ProfileStore(scope.context.stores.home).set(name, profile)
    let isCurrent = scope.session.server.profile?.value == name
    if isCurrent {
      let opened = try scope.context.opening.session(profile: Sourced(name, .option), settings: scope.session.settings)
      scope.session.take(opened.server)
      if move != nil {
        let secret = scope.session.credentials.secret
        isForgotten = isForgotten || secret != nil && secret != opened.credentials.secret
        // Values of the environment apply to every address.
        scope.session.credentials = opened.credentials
        scope.session.credentialOrigins = opened.credentialOrigins
      }
    }
    if let move, isForgotten { scope.say(move.note(isCurrent: isCurrent)) }
    if let weatherKey { try await ProfileCommand.saveWeatherKey(from: weatherKey, for: name, in: scope.context) }
    return .message(
      old == nil
        ? .success("Added profile \(.value(name)).", ko: "\(.value(name)) 프로필을 추가했습니다.")
          .next(
            "This session still uses \(.value(scope.session.server.name)). Run \(.command("profile \(name)")) to switch.",
            ko:
              "이 세션은 아직 \(.value(scope.session.server.name))에 연결되어 있습니다. \(.command("profile \(name)"), .toward) 전환합니다."
          )
        : .success("Updated profile \(.value(name)).", ko: "\(.value(name)) 프로필을 바꿨습니다."))
  }

  /// Saves the key of the weather service with the credentials, from a file, because it is never typed in a line.
  private static func saveWeatherKey(from file: String, for profile: String, in context: CommandContext) async throws {
    let path = Paths.expanded(file, home: context.program.environment["HOME"])
    guard let text = try Files.text(path, limit: 4096) else { throw FileError.cannotRead(path: path, errno: 2) }
    guard let key = Secret(text.trimmed) else {
      throw CommandError(
        .usageError,
        .failure("The file does not contain a weather API key.", ko: "파일에 날씨 서비스의 키가 없습니다."))
    }
    try CredentialStore(context.stores.home).save(weatherKey: key, for: profile)
    await context.network.weather.forgetKey(of: profile)
  }

  private static let demoMoves = CommandError(
    .blocked,
    .failure(
      "Profile demo is the built-in market and has no URL.", ko: "demo 프로필은 내장 마켓이라 주소가 없습니다."
    ).next(
      "Run \(.command("profile add NAME url=…")) to add another profile.",
      ko: "다른 프로필을 추가하려면 \(.command("profile add 이름 url=…"), .object) 실행하세요."))

  private func applyingAssignments(_ profile: Profile, home: String?) throws -> Profile {
    var profile = profile
    for assignment in assignments {
      guard let setting = ProfileSetting.byName[assignment.name] else {
        let names = ProfileSetting.all.map(\.name).joined(separator: ", ")
        throw ParseError(
          LocalizedText(
            "Unknown profile value: \(.field(assignment.name)).", ko: "프로필에 \(.field(assignment.name)) 항목은 없습니다."),
          suggestion: LocalizedText("Available: \(names).", ko: "\(names, .object) 쓸 수 있습니다."), at: assignment.range)
      }
      try setting.apply(assignment.value, to: &profile, home: home, at: assignment.range)
    }
    return profile
  }

  private func table(_ profiles: [String: Profile], startingIn start: String?, _ session: Session) -> Table {
    let listed = ProfileSetting.all.filter { $0.column != nil }
    return Table(
      [
        .init("name", LocalizedText("profile", ko: "프로필")), .init("current", LocalizedText("current", ko: "사용 중")),
        .init("default", LocalizedText("default", ko: "기본")),
      ] + listed.compactMap(\.column),
      rows: profiles.sorted { $0.key < $1.key }.map { name, profile in
        [
          .text(name), .bool(name == session.server.profile?.value), name == start ? .bool(true) : .none,
        ] + listed.map { $0.cell(profile) }
      })
  }

  /// Returns whether a text can name a profile: letters, digits, `-` and `_`, and no word of the command.
  static func isProfileName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 255 && !words.contains(name)
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "_"
      }
  }
}

extension Session {
  /// Moves to another market.
  ///
  /// The user's scripts, names and command log are preserved.
  ///
  /// Products, listings and responses are discarded: they belong to the old market, whose ids are other products here.
  mutating func move(to other: Session) {
    let old = self
    self = other
    server = old.server
    take(other.server)
    aliases = old.aliases
    variables = old.variables.filter { $0.value.product == nil && $0.value.response == nil }
    script = old.script
    actor = old.actor
    commandHistory = old.commandHistory
  }

  /// Replaces the server.
  ///
  /// `--read-only` and `--insecure-http` apply to every profile.
  mutating func take(_ other: ServerConfiguration) {
    let (access, http) = (server.access, server.http)
    server = other
    if access == Sourced(.readOnly, .option) { server.access = access }
    if http == Sourced(.allow, .option) { server.http = http }
  }
}

/// The change of a profile's URL to another server.
///
/// The stored credentials are deleted. Otherwise the next write would send the vendor's secret to the new server.
struct ProfileServerChange {
  private let name: String

  /// Creates the change, or `nil` for a new profile, and if scheme, host and port are unchanged.
  init?(_ name: String, from old: Profile?, to new: Profile) {
    guard let old, old.server != new.server else { return nil }
    self.name = name
  }

  /// Deletes the stored vendor of the profile, and returns `false` if it had no credentials.
  ///
  /// The key of the weather service isn't deleted.
  func forget(in home: AppDirectories) throws(FileError) -> Bool {
    let store = CredentialStore(home)
    guard let stored = try store.load(name) else { return false }
    try store.save(nil, for: name)
    return stored.identifier != nil || stored.secret != nil
  }

  /// Returns the note about the deleted credentials.
  ///
  /// The suggested command depends on whether the session uses this profile.
  func note(isCurrent: Bool) -> Message {
    let line = isCurrent ? "login" : "profile \(name); login"
    return .note(
      "The saved credentials of profile \(.value(name)) belonged to another server and were deleted.",
      ko: "\(.value(name)) 프로필의 로그인 정보는 다른 서버의 것이라 삭제했습니다."
    )
    .next("Run \(.command(line)) to log in to the new server.", ko: "\(.command(line), .toward) 새 서버의 정보를 입력하세요.")
  }
}
