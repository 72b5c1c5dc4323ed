import Catalog
import Engine
import Foundation
import Journal
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// `profile`: where the session points; lists, chooses, adds, changes and removes profiles.
package struct ChooseProfile: Command {
  package static let declaration = Declaration(
    "profile", group: .vendors, summary: Wording("choose, add or remove a profile", ko: "프로필 고르기, 더하기, 지우기"),
    prints: true,
    parameters: [
      Parameter("NAME", .rest(required: false), .profile, Wording("NAME, add NAME, rm NAME", ko: "이름, add 이름, rm 이름")),
      Parameter(
        "KEY=VALUE", .assignments,
        .settings([
          "url", "api", "confirm", "access", "vendor_id", "settle", "timeout", "proxy", "ca", "verify", "weather_key",
        ]),
        Wording("what the profile says; weather_key=@file", ko: "프로필의 내용; weather_key=@파일")),
    ],
    examples: [
      .init("profile", "all profiles", ko: "모든 프로필"),
      .init("profile demo", "back to the embedded market", ko: "내장 시장으로"),
      .init("profile add shop url=https://openmarket.example.com api=open", "a new one", ko: "새 프로필"),
      .init("profile rm shop", "forget it", ko: "프로필 지우기"),
    ])

  private enum Deed: Hashable { case list, choose(String), add(String), remove(String) }

  private let deed: Deed
  private let assignments: [Assignment]
  /// The file that holds the key of the weather service.
  private let weatherKey: String?

  package init(_ invocation: Invocation) throws {
    let words = invocation.all("NAME")
    assignments = invocation.assignments.filter { $0.name != "weather_key" }
    // One that is typed was refused when the line was read.
    weatherKey = invocation.assignments.first { $0.name == "weather_key" && $0.isFile }?.value
    switch (words.first, words.count) {
    case (nil, _): deed = .list
    case ("add", 2): deed = .add(words[1])
    case ("rm", 2): deed = .remove(words[1])
    case (let name?, 1): deed = invocation.assignments.isEmpty ? .choose(name) : .add(name)
    default:
      throw ParseError(
        Wording("profile takes a name, add NAME or rm NAME.", ko: "profile에는 이름, add 이름, rm 이름을 씁니다."))
    }
  }

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    let store = ProfileStore(context.home)
    let profiles = try store.load()
    switch deed {
    case .list:
      return .rows(table(profiles, session))
    case .choose(let name):
      guard profiles[name] != nil else { throw Failure.unknownProfile(name, of: profiles.keys) }
      session = try context.opening.session(
        profile: Sourced(name, .option), settings: session.settings)
      return .message(.success("Now at profile \(.value(name)).", ko: "이제 \(.value(name)) 프로필입니다."))
    case .add(let name): return try add(name, to: profiles, &session, in: context)
    case .remove(let name):
      guard name != Place.demo else {
        throw Failure(
          .heldBack,
          .failure(
            "The profile \(.value(name)) stays: it is the market inside the program.",
            ko: "\(.value(name)) 프로필은 프로그램 안의 시장이라 지울 수 없습니다."))
      }
      guard profiles[name] != nil else { throw Failure.unknownProfile(name, of: profiles.keys) }
      try store.set(name, nil)
      try CredentialStore(context.home).save(nil, for: name)
      try CredentialStore(context.home).save(weatherKey: nil, for: name)
      return .message(.success("Profile \(.value(name)) removed.", ko: "\(.value(name)) 프로필을 지웠습니다."))
    }
  }

  private func add(
    _ name: String, to profiles: [String: Profile], _ session: inout Session, in context: Context
  ) throws -> Report {
    guard ChooseProfile.isName(name) else {
      throw ParseError(
        Wording("A profile's name is letters, digits, - and _.", ko: "프로필 이름은 글자, 숫자, -, _로 씁니다."))
    }
    if name == Place.demo, assignments.contains(where: { $0.name == "url" }) { throw ChooseProfile.demoMoves }
    let old = profiles[name]
    var profile = try changed(old ?? Profile(), home: context.environment["HOME"])
    guard name == Place.demo || profile.url != nil else {
      throw ParseError(
        Wording("A profile needs url=…", ko: "프로필에는 url=…이 있어야 합니다."),
        next: Wording(
          "\(.command("profile add NAME url=https://… api=open"))",
          ko: "\(.command("profile add 이름 url=https://… api=open"))"))
    }
    let move = ProfileMove(name, from: old, to: profile)
    // It was the vendor's number at the old server.
    if move != nil, !assignments.contains(where: { $0.name == "vendor_id" }) { profile.vendorID = nil }
    // Before the new address is kept: whatever fails in between, no secret stands beside it.
    var isForgotten = try move?.forget(in: context.home) ?? false
    try ProfileStore(context.home).set(name, profile)
    let isCurrent = session.place.profile?.value == name
    if isCurrent {
      let opened = try context.opening.session(profile: Sourced(name, .option), settings: session.settings)
      session.place = opened.place
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
        ? .success("Profile \(.value(name)) added.", ko: "\(.value(name)) 프로필을 더했습니다.")
          .next("\(.command("profile \(name)")) goes there.", ko: "\(.command("profile \(name)"))로 옮겨 갑니다.")
        : .success("Profile \(.value(name)) changed.", ko: "\(.value(name)) 프로필을 바꿨습니다."))
  }

  private static let demoMoves = Failure(
    .heldBack,
    .failure(
      "The profile demo is the market inside the program; it has no url.", ko: "demo 프로필은 프로그램 안의 시장이라 url이 없습니다."
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
        guard ServerAddress(value) != nil else { throw Opening.noAddress(value) }
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
        guard value.isEmpty || ProxyAddress(value) != nil else { throw Opening.noProxy(value) }
        profile.proxy = value.isEmpty ? nil : value
      case "ca":
        if !value.isEmpty { _ = try Place.authorities(at: Paths.expanded(value, home: home)) }
        profile.ca = value.isEmpty ? nil : ChooseProfile.whole(Paths.expanded(value, home: home))
      case "verify":
        profile.verify = Verification(rawValue: value)
        fits = profile.verify != nil
      default:
        throw ParseError(
          Wording(
            "A profile has no \(.field(assignment.name)).", ko: "프로필에 \(.field(assignment.name), .subject) 없습니다."),
          next: Wording(
            "It has url, api, confirm, access, vendor_id, settle, timeout, proxy, ca, verify.",
            ko: "url, api, confirm, access, vendor_id, settle, timeout, proxy, ca, verify가 있습니다."),
          at: assignment.range)
      }
      guard fits else {
        throw ParseError(
          Wording(
            "\(.field(assignment.name)) cannot be \(.value(value)).",
            ko: "\(.field(assignment.name))에 \(.value(value), .object) 쓸 수 없습니다."), at: assignment.range)
      }
    }
    return profile
  }

  private func table(_ profiles: [String: Profile], _ session: Session) -> Table {
    Table(
      [
        .init("name", Wording("profile", ko: "프로필")), .init("current", Wording("current", ko: "지금")),
        .init("url", Wording("address", ko: "주소")), .init("api", Wording("edition", ko: "판")),
        .init("confirm", Wording("confirm", ko: "확인")), .init("access", Wording("access", ko: "권한")),
        .init("vendor_id", Wording("vendor", ko: "판매자"), isNumber: true),
        .init("timeout", Wording("timeout", ko: "대기(초)"), isNumber: true),
        .init("proxy", Wording("proxy", ko: "프록시")), .init("ca", Wording("authorities", ko: "인증 기관")),
        .init("verify", Wording("read back", ko: "다시 읽기")),
      ],
      rows: profiles.sorted { $0.key < $1.key }.map { name, profile in
        [
          .text(name), .flag(name == session.place.profile?.value), profile.url.map { .text($0) } ?? .none,
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
