import Catalog
import Engine
import Exploration
import Failures
import Foundation
import Journal
import Language
import Marketplace
import Networking
import OrderedCollections
import Platform
import Presentation
import Text

/// `profile`: where the session points; lists, chooses, adds, changes and removes profiles.
package struct ChooseProfile: Command {
  package static let declaration = Declaration(
    "profile", group: .vendors, summary: LocalizedText("choose, add or remove a profile", ko: "프로필 선택, 추가, 삭제"),
    prints: true,
    parameters: [
      Parameter(
        "NAME", .rest(required: false), .profile, LocalizedText("NAME, add NAME, rm NAME", ko: "이름, add 이름, rm 이름")),
      Parameter(
        "KEY=VALUE", .assignments,
        .settings([
          "url", "api", "confirm", "access", "vendor_id", "settle", "timeout", "proxy", "ca", "http", "verify", "calls",
          "weather_key",
        ]),
        LocalizedText("what the profile says; weather_key=@file", ko: "프로필의 내용; weather_key=@파일")),
    ],
    examples: [
      .init("profile", "all profiles", ko: "모든 프로필"),
      .init("profile demo", "back to the embedded market", ko: "내장 마켓으로"),
      .init("profile add shop url=https://openmarket.example.com api=open", "a new one", ko: "새 프로필"),
      .init("profile rm shop", "forget it", ko: "프로필 삭제"),
    ])

  private enum Deed: Hashable { case list, choose(String), add(String), remove(String) }

  private let deed: Deed
  private let assignments: [Assignment]
  /// The file that holds the key of the weather service.
  private let weatherKey: String?

  /// - Throws: `ParseError` for other words than a name, `add NAME` and `rm NAME`.
  package init(_ invocation: Invocation) throws {
    let words = invocation.all("NAME")
    // `profile add slow http://…`: an address can only be the profile's.
    let address = words.count == 3 && words[0] == "add" && words[2].contains("://") ? words[2] : nil
    assignments =
      invocation.assignments.filter { $0.name != "weather_key" }
      + (address.map { [Assignment("url", .set, $0, range: 0..<0)] } ?? [])
    // One that is typed was refused when the line was read.
    weatherKey = invocation.assignments.first { $0.name == "weather_key" && $0.isFile }?.value
    switch (words.first, words.count) {
    case (nil, _): deed = .list
    case ("add", 2): deed = .add(words[1])
    case ("add", 3) where address != nil && !invocation.assignments.contains { $0.name == "url" }: deed = .add(words[1])
    case ("rm", 2): deed = .remove(words[1])
    case (let name?, 1) where !["add", "rm"].contains(name):
      deed = invocation.assignments.isEmpty ? .choose(name) : .add(name)
    default:
      throw ParseError(
        LocalizedText("profile takes a name, add NAME or rm NAME.", ko: "profile 뒤에는 이름, add 이름, rm 이름 중 하나를 적습니다."),
        next: LocalizedText(
          "For example \(.command("profile add shop https://…"))", ko: "예: \(.command("profile add shop https://…"))"))
    }
  }

  /// - Throws: `Failure` for a profile there is not, and for `demo`, which stays; `ParseError` for a name or a field it
  ///   cannot have; `FileError`.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: Context) async throws -> Report {
    let store = ProfileStore(context.home)
    let profiles = try store.load()
    switch deed {
    case .list:
      return .rows(table(profiles, session))
    case .choose(let name):
      guard profiles[name] != nil else { throw Failure.unknownProfile(name, of: profiles.keys) }
      let opened = try context.opening.session(profile: Sourced(name, .option), settings: session.settings)
      session.move(to: opened)
      return .message(.success("Now at profile \(.value(name)).", ko: "이제 \(.value(name)) 프로필입니다."))
    case .add(let name): return try add(name, to: profiles, &session, in: context)
    case .remove(let name):
      guard name != ServerContext.demo else {
        throw Failure(
          .heldBack,
          .failure(
            "The profile \(.value(name)) stays: it is the market inside the program.",
            ko: "\(.value(name)) 프로필은 내장 마켓이라 삭제할 수 없습니다."))
      }
      guard profiles[name] != nil else { throw Failure.unknownProfile(name, of: profiles.keys) }
      try store.set(name, nil)
      try CredentialStore(context.home).save(nil, for: name)
      try CredentialStore(context.home).save(weatherKey: nil, for: name)
      return .message(.success("Profile \(.value(name)) removed.", ko: "\(.value(name)) 프로필을 삭제했습니다."))
    }
  }

  private func add(
    _ name: String, to profiles: [String: Profile], _ session: inout Session, in context: Context
  ) throws -> Report {
    guard ChooseProfile.isName(name) else {
      throw ParseError(
        LocalizedText("A profile's name is letters, digits, - and _.", ko: "프로필 이름에는 글자, 숫자, -, _를 쓸 수 있습니다."))
    }
    if name == ServerContext.demo, assignments.contains(where: { $0.name == "url" }) { throw ChooseProfile.demoMoves }
    let old = profiles[name]
    var profile = try changed(old ?? Profile(), home: context.environment["HOME"])
    guard name == ServerContext.demo || profile.url != nil else {
      throw ParseError(
        LocalizedText("A profile needs url=…", ko: "프로필에는 url=…이 필요합니다."),
        next: LocalizedText(
          "\(.command("profile add NAME url=https://… api=open"))",
          ko: "\(.command("profile add 이름 url=https://… api=open"))"))
    }
    let move = ProfileMove(name, from: old, to: profile)
    // It was the vendor's number at the old server.
    if move != nil, !assignments.contains(where: { $0.name == "vendor_id" }) { profile.vendorID = nil }
    // Before the new address is kept: whatever fails in between, no secret stands beside it.
    var isForgotten = try move?.forget(in: context.home) ?? false
    try ProfileStore(context.home).set(name, profile)
    let isCurrent = session.server.profile?.value == name
    if isCurrent {
      let opened = try context.opening.session(profile: Sourced(name, .option), settings: session.settings)
      session.take(opened.server)
      if move != nil {
        let secret = session.credentials.secret
        isForgotten = isForgotten || secret != nil && secret != opened.credentials.secret
        // What the environment says holds at every address.
        session.credentials = opened.credentials
        session.origins = opened.origins
      }
    }
    if let move, isForgotten { context.say(move.note(isCurrent: isCurrent), session) }
    if let weatherKey { try WeatherKeyFile(weatherKey).keep(for: name, in: context) }
    return .message(
      old == nil
        ? .success("Profile \(.value(name)) added.", ko: "\(.value(name)) 프로필을 추가했습니다.")
          .next("\(.command("profile \(name)")) goes there.", ko: "\(.command("profile \(name)"), .toward) 전환합니다.")
        : .success("Profile \(.value(name)) changed.", ko: "\(.value(name)) 프로필을 바꿨습니다."))
  }

  private static let demoMoves = Failure(
    .heldBack,
    .failure(
      "The profile demo is the market inside the program; it has no url.", ko: "demo 프로필은 내장 마켓이라 url이 없습니다."
    ).next(
      "\(.command("profile add NAME url=…")) makes another.", ko: "\(.command("profile add 이름 url=…"))로 다른 것을 만듭니다."))

  /// From wherever the program is started next.
  private static func whole(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  private func changed(_ profile: Profile, home: String?) throws -> Profile {
    var profile = profile
    for assignment in assignments {
      let value = assignment.value
      var fits = true
      switch assignment.name {
      case "url":
        guard ServerAddress(value) != nil else { throw SessionFactory.noAddress(value) }
        profile.url = value
      case "api":
        fits = Edition(rawValue: value) != nil
        profile.api = value
      case "confirm":
        profile.confirm = Confirm(rawValue: value)
        fits = profile.confirm != nil
      case "access":
        profile.access = Access(rawValue: value)
        fits = profile.access != nil
      case "vendor_id":
        profile.vendorID = Int(value)
        fits = (profile.vendorID ?? 0) > 0
      case "settle":
        profile.settle = Int(value)
        fits = (1...3600).contains(profile.settle ?? 0)
      case "timeout":
        profile.timeout = value.isEmpty ? nil : Int(value)
        fits = value.isEmpty || (1...3600).contains(profile.timeout ?? 0)
      case "proxy":
        guard value.isEmpty || ProxyAddress(value) != nil else { throw SessionFactory.noProxy(value) }
        profile.proxy = value.isEmpty ? nil : value
      case "ca":
        if !value.isEmpty { _ = try ServerContext.authorities(at: Paths.expanded(value, home: home)) }
        profile.ca = value.isEmpty ? nil : ChooseProfile.whole(Paths.expanded(value, home: home))
      case "http":
        profile.http = PlainHTTP(rawValue: value)
        fits = profile.http != nil
      case "verify":
        profile.verify = Verification(rawValue: value)
        fits = profile.verify != nil
      case "calls":
        profile.calls = CallKeeping(rawValue: value)
        fits = profile.calls != nil
      default:
        throw ParseError(
          LocalizedText(
            "A profile has no \(.field(assignment.name)).", ko: "프로필에 \(.field(assignment.name)) 항목은 없습니다."),
          next: LocalizedText(
            "It has url, api, confirm, access, vendor_id, settle, timeout, proxy, ca, http, verify, calls.",
            ko: "url, api, confirm, access, vendor_id, settle, timeout, proxy, ca, http, verify, calls를 쓸 수 있습니다."),
          at: assignment.range)
      }
      guard fits else {
        throw ParseError(
          LocalizedText(
            "\(.field(assignment.name)) cannot be \(.value(value)).",
            ko: "\(.field(assignment.name))에 \(.value(value), .object) 쓸 수 없습니다."), at: assignment.range)
      }
    }
    return profile
  }

  private func table(_ profiles: [String: Profile], _ session: Session) -> Table {
    Table(
      [
        .init("name", LocalizedText("profile", ko: "프로필")), .init("current", LocalizedText("current", ko: "지금")),
        .init("url", LocalizedText("address", ko: "주소")), .init("api", LocalizedText("edition", ko: "버전")),
        .init("confirm", LocalizedText("confirm", ko: "확인")), .init("access", LocalizedText("access", ko: "권한")),
        .init("vendor_id", LocalizedText("vendor", ko: "판매자"), isNumber: true),
        .init("timeout", LocalizedText("timeout", ko: "대기(초)"), isNumber: true),
        .init("proxy", LocalizedText("proxy", ko: "프록시")), .init("ca", LocalizedText("authorities", ko: "인증 기관")),
        .init("verify", LocalizedText("read back", ko: "재확인")),
      ],
      rows: profiles.sorted { $0.key < $1.key }.map { name, profile in
        [
          .text(name), .flag(name == session.server.profile?.value), profile.url.map { .text($0) } ?? .none,
          profile.api.map { .text($0) } ?? .none, .text((profile.confirm ?? .always).rawValue),
          .text((profile.access ?? .readWrite).rawValue), profile.vendorID.map { .number($0) } ?? .none,
          profile.timeout.map { .number($0) } ?? .none, profile.proxy.map { .text($0) } ?? .none,
          profile.ca.map { .text($0) } ?? .none, .text((profile.verify ?? .batchEnd).rawValue),
        ]
      })
  }

  private static func isName(_ name: String) -> Bool {
    name.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "_" }
  }
}

/// A profile that is led to another server: what was kept for the old one is forgotten, or the next write would hand
/// the vendor's secret to the new one.
struct ProfileMove {
  private let name: String

  /// Nil for a new profile, and where scheme, host and port stay as they are; a path may change.
  init?(_ name: String, from old: Profile?, to new: Profile) {
    guard let old, old.server != new.server else { return nil }
    self.name = name
  }

  /// Forgets the vendor of the profile; false when none was kept. The key of the weather service stays.
  func forget(in home: Home) throws(FileError) -> Bool {
    let store = CredentialStore(home)
    guard let kept = try store.load(name) else { return false }
    try store.save(nil, for: name)
    return kept.identifier != nil || kept.secret != nil
  }

  /// - Parameter isCurrent: whether the session is at this profile.
  func note(isCurrent: Bool) -> Message {
    let line = isCurrent ? "login" : "profile \(name); login"
    return .note(
      "The credentials of profile \(.value(name)) were forgotten; they were another server's.",
      ko: "\(.value(name)) 프로필의 판매자 정보는 다른 서버의 것이라 삭제했습니다."
    )
    .next("\(.command(line)) sets those of the new one.", ko: "\(.command(line), .toward) 새 서버의 정보를 입력하세요.")
  }
}

extension Session {
  /// Goes on at another market. What belongs to the conversation stays: its scripts, names and log of commands. What was
  /// seen, made and answered is the old market's, whose numbers mean other products here.
  fileprivate mutating func move(to other: Session) {
    let old = self
    self = other
    server = old.server
    take(other.server)
    aliases = old.aliases
    variables = old.variables.filter { $0.value.product == nil && $0.value.answer == nil }
    frames = old.frames
    readsFile = old.readsFile
    keepsGoing = old.keepsGoing
    deeds = old.deeds
  }

  /// `--read-only` holds at every profile.
  fileprivate mutating func take(_ other: ServerContext) {
    let access = server.access
    server = other
    if access == Sourced(.readOnly, .option) { server.access = access }
  }
}
