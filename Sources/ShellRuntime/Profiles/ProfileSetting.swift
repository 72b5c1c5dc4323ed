import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import Text

/// A setting of a profile, by the name users type: how it is parsed, checked, set and unset, stored, listed and used.
///
/// A new setting needs a property of `Profile`, one of `ServerConfiguration`, and a row of `all`.
package struct ProfileSetting: Sendable {
  package let name: String
  package let summary: LocalizedText
  package let kind: ValueKind
  /// The column in the list of profiles, or `nil` if the setting isn't listed.
  package let column: Table.Column?
  package let cell: @Sendable (Profile) -> Table.Cell
  /// Returns the value as it would be typed, or `nil` if the profile doesn't set it.
  package let get: @Sendable (Profile) -> String?
  /// Sets a value that isn't empty, or returns false if the text is invalid.
  ///
  /// `home` replaces `~`.
  fileprivate let set: @Sendable (_ profile: inout Profile, _ text: String, _ home: String?) throws -> Bool
  fileprivate let unset: @Sendable (_ profile: inout Profile) -> Void
  /// Reads the value from the file.
  let decode: @Sendable (_ table: SettingsTable, _ profile: inout Profile) throws(FileError) -> Void
  let encode: @Sendable (Profile) -> TOML?
  /// Uses the profile's value for a server, if there is one.
  let configure: @Sendable (_ server: inout ServerConfiguration, _ profile: Profile) throws -> Void

  /// Sets the value, or unsets it if the text is empty.
  ///
  /// - Parameters:
  ///   - text: The typed value.
  ///   - home: The user's home folder, which replaces `~`.
  ///   - range: The position of the value for an error.
  /// - Throws: `ParseError` with the valid values, `CommandError` and `FileError` for a URL or a file that can't be used.
  package func apply(_ text: String, to profile: inout Profile, home: String?, at range: Range<Int>?) throws {
    if text.isEmpty { return unset(&profile) }
    guard try set(&profile, text, home) else {
      throw ParseError(
        LocalizedText(
          "Invalid value for \(.field(name)): \(.value(text)).",
          ko: "\(.field(name))에 \(.value(text), .object) 쓸 수 없습니다."),
        suggestion: expected, at: range)
    }
  }

  private var expected: LocalizedText {
    switch kind {
    case .choice(let words):
      let list = words.joined(separator: ", ")
      return LocalizedText(
        "Use one of: \(list). To unset it, use \(.command("\(name)=")).",
        ko: "\(list) 중 하나를 쓰세요. 지우려면 \(.command("\(name)="), .object) 쓰세요.")
    case .number(let range):
      let most = range.upperBound == .max ? nil : range.upperBound
      return most.map { most in
        LocalizedText(
          "Use a whole number from \(range.lowerBound) to \(most). To unset it, use \(.command("\(name)=")).",
          ko: "\(range.lowerBound)부터 \(most)까지의 정수를 쓰세요. 지우려면 \(.command("\(name)="), .object) 쓰세요.")
      }
        ?? LocalizedText(
          "Use a whole number of \(range.lowerBound) or more. To unset it, use \(.command("\(name)=")).",
          ko: "\(range.lowerBound) 이상의 정수를 쓰세요. 지우려면 \(.command("\(name)="), .object) 쓰세요.")
    default:
      return LocalizedText(
        "To unset it, use \(.command("\(name)=")).", ko: "지우려면 \(.command("\(name)="), .object) 쓰세요.")
    }
  }

  private static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ summary: LocalizedText, path: any WritableKeyPath<Profile, Value?> & Sendable,
    column: LocalizedText? = nil, default defaultValue: Value? = nil,
    configure: @escaping @Sendable (_ server: inout ServerConfiguration, Value, Profile) -> Void
  ) -> ProfileSetting {
    ProfileSetting(
      name: name, summary: summary, kind: .choice(Value.allCases.map(\.rawValue)),
      column: column.map { .init(name, $0) },
      cell: { ($0[keyPath: path] ?? defaultValue).map { .text($0.rawValue) } ?? .none },
      get: { $0[keyPath: path]?.rawValue },
      set: { profile, text, _ in
        guard let value = Value(rawValue: text) else { return false }
        profile[keyPath: path] = value
        return true
      }, unset: { $0[keyPath: path] = nil },
      decode: { (table, profile) throws(FileError) in profile[keyPath: path] = try table.enumeration(name) },
      encode: { $0[keyPath: path].map { .string($0.rawValue) } },
      configure: { server, profile in
        if let value = profile[keyPath: path] { configure(&server, value, profile) }
      })
  }

  private static func number(
    _ name: String, _ summary: LocalizedText, in range: ClosedRange<Int>,
    path: any WritableKeyPath<Profile, Int?> & Sendable, column: LocalizedText? = nil,
    configure: @escaping @Sendable (_ server: inout ServerConfiguration, Int) -> Void
  ) -> ProfileSetting {
    ProfileSetting(
      name: name, summary: summary, kind: .number(range), column: column.map { .init(name, $0, isNumber: true) },
      cell: { $0[keyPath: path].map { .number($0) } ?? .none }, get: { $0[keyPath: path].map { String($0) } },
      set: { profile, text, _ in
        guard let number = Int(text), range.contains(number) else { return false }
        profile[keyPath: path] = number
        return true
      }, unset: { $0[keyPath: path] = nil },
      decode: { (table, profile) throws(FileError) in
        let number = try table.integer(name)
        if let number, !range.contains(number) {
          throw table.fault(
            name,
            range.upperBound == .max
              ? LocalizedText(
                "\(.field(name)) must be \(range.lowerBound) or more",
                ko: "\(.field(name)) 값은 \(range.lowerBound) 이상입니다")
              : LocalizedText(
                "\(.field(name)) must be from \(range.lowerBound) to \(range.upperBound)",
                ko: "\(.field(name)) 값은 \(range.lowerBound)부터 \(range.upperBound)까지입니다"))
        }
        profile[keyPath: path] = number
      },
      encode: { $0[keyPath: path].map { .integer($0) } },
      configure: { server, profile in
        if let number = profile[keyPath: path] { configure(&server, number) }
      })
  }

  /// - Parameters:
  ///   - accepts: Returns whether a text in the file is valid although it is none of the words of `kind`.
  ///   - check: Returns the text to store, or `nil` if it is invalid; gets the user's home folder.
  private static func text(
    _ name: String, _ summary: LocalizedText, path: any WritableKeyPath<Profile, String?> & Sendable,
    kind: ValueKind = .text, column: LocalizedText? = nil,
    accepts: @escaping @Sendable (String) -> Bool = { _ in false },
    check: @escaping @Sendable (_ text: String, _ home: String?) throws -> String?,
    configure: @escaping @Sendable (_ server: inout ServerConfiguration, String, Profile) throws -> Void
  ) -> ProfileSetting {
    ProfileSetting(
      name: name, summary: summary, kind: kind, column: column.map { .init(name, $0) },
      cell: { $0[keyPath: path].map { .text($0) } ?? .none }, get: { $0[keyPath: path] },
      set: { profile, text, home in
        guard let text = try check(text, home) else { return false }
        profile[keyPath: path] = text
        return true
      }, unset: { $0[keyPath: path] = nil },
      decode: { (table, profile) throws(FileError) in
        let text = try table.text(name)
        if let text, case .choice(let words) = kind, !words.contains(text), !accepts(text) {
          let list = words.joined(separator: ", ")
          throw table.fault(
            name, LocalizedText("\(.field(name)) must be one of \(list)", ko: "\(.field(name)) 값은 다음 중 하나입니다: \(list)"))
        }
        profile[keyPath: path] = text
      },
      encode: { $0[keyPath: path].map { .string($0) } },
      configure: { server, profile in
        if let text = profile[keyPath: path] { try configure(&server, text, profile) }
      })
  }

  /// The settings in the order in which they are listed; `url` is first, because others apply only to that server.
  package static let all: [ProfileSetting] = [
    text("url", LocalizedText("server URL", ko: "서버 주소"), path: \.url, column: LocalizedText("URL", ko: "주소")) {
      text, _ in
      guard let address = ServerAddress(text) else { throw SessionFactory.noAddress(text) }
      if let base = address.baseOfEndpoint { throw SessionFactory.isEndpoint(address.url, base) }
      return text
    } configure: { server, text, _ in
      guard server.url == nil else { return }
      guard let address = ServerAddress(text) else { throw SessionFactory.noAddress(text) }
      server.url = Sourced(address.url, .profile)
    },
    text(
      "also", LocalizedText("other URLs of the same server, as URL,URL", ko: "같은 서버의 다른 주소(URL,URL)"), path: \.also
    ) { text, _ in
      let addresses = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      for address in addresses where ServerAddress(address) == nil { throw SessionFactory.noAddress(address) }
      return addresses.isEmpty ? nil : addresses.joined(separator: ",")
    } configure: { server, text, profile in
      // Another server that an option names has none of these addresses.
      guard profile.isAt(server.url?.value) || profile.names(server.url?.value) else { return }
      let others = text.split(separator: ",").compactMap { ServerAddress(String($0))?.url }
      server.otherURLs = others + [profile.url.flatMap { ServerAddress($0)?.url }].compactMap(\.self)
      server.otherURLs.removeAll { $0 == server.url?.value }
    },
    text(
      "api",
      LocalizedText(
        "API edition, or a file that describes the API (default: detected)", ko: "API 버전 또는 API를 설명하는 파일(기본: 자동 판별)"),
      path: \.api, kind: .choice(Edition.allCases.map(\.rawValue)), column: LocalizedText("edition", ko: "API 버전"),
      accepts: APIWord.isFile
    ) { text, home in
      guard try APIWord.dialect(text, home: home) != nil else { return nil }
      return APIWord.isFile(text) ? APIWord.path(text, home: home) : text
    } configure: { server, text, _ in
      server.dialect = try APIWord.dialect(text, home: nil).map { Sourced($0, .profile) }
    },
    choice(
      "confirm", LocalizedText("when to ask before a change", ko: "변경 전 확인"), path: \.confirm,
      column: LocalizedText("confirm", ko: "확인"), default: .always
    ) { server, value, _ in server.confirm = Sourced(value, .profile) },
    choice(
      "access", LocalizedText("read-only or read-write", ko: "읽기 전용 또는 읽기·쓰기"), path: \.access,
      column: LocalizedText("access", ko: "권한"), default: .readWrite
    ) { server, value, _ in server.access = Sourced(value, .profile) },
    // The vendor's number belongs to the credentials.
    number(
      "vendor_id", LocalizedText("vendor ID", ko: "판매자 번호"), in: 1...Int.max, path: \.vendorID,
      column: LocalizedText("vendor", ko: "판매자")
    ) { _, _ in },
    number(
      "settle", LocalizedText("seconds during which a change may still take effect", ko: "변경이 늦게 적용될 수 있는 시간(초)"),
      in: 1...3600, path: \.settle
    ) { $0.confirmationSeconds = $1 },
    number(
      "timeout", LocalizedText("seconds to wait for a response", ko: "응답을 기다리는 시간(초)"), in: 1...3600, path: \.timeout,
      column: LocalizedText("timeout", ko: "제한 시간(초)")
    ) { $0.timeout = Sourced($1, .profile) },
    text(
      "proxy", LocalizedText("http://HOST:PORT", ko: "http://호스트:포트"), path: \.proxy,
      column: LocalizedText("proxy", ko: "프록시")
    ) { text, _ in
      guard ProxyAddress(text) != nil else { throw SessionFactory.noProxy(text) }
      return text
    } configure: { server, text, _ in
      guard let proxy = ProxyAddress(text) else { throw SessionFactory.noProxy(text) }
      server.proxy = Sourced(proxy, .profile)
    },
    text(
      "ca", LocalizedText("file of trusted CA certificates", ko: "신뢰할 CA 인증서 파일"), path: \.ca, kind: .file,
      column: LocalizedText("CA file", ko: "CA 파일")
    ) { text, home in
      let path = Paths.expanded(text, home: home)
      _ = try ServerConfiguration.authorities(at: path)
      // The path is made absolute, because the program may be started from another folder next time.
      return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    } configure: { server, path, profile in
      // The certificates are trusted for the profile's own server, not for another one that an option names.
      if profile.isAt(server.url?.value) { server.ca = Sourced(path, .profile) }
    },
    text(
      "secret_command",
      LocalizedText("program that prints the secret, run without a shell", ko: "시크릿을 출력하는 프로그램(셸 없이 실행)"),
      path: \.secretCommand
    ) { text, _ in
      _ = try SecretCommand(text)
      return text
    } configure: { server, text, profile in
      // The secret is meant for the profile's own server, not for another one that an option names.
      if profile.isAt(server.url?.value) { server.secretCommand = Sourced(text, .profile) }
    },
    choice(
      "http", LocalizedText("allow secrets over unencrypted http to another machine", ko: "다른 컴퓨터에 암호화 없이 시크릿 보내기 허용"),
      path: \.http
    ) { server, value, profile in
      // This too applies to the profile's own server only.
      if profile.isAt(server.url?.value) { server.http = Sourced(value, .profile) }
    },
    choice(
      "verify", LocalizedText("when to check a change by reading the product again", ko: "변경한 상품을 다시 읽어 확인할 때"),
      path: \.verify, column: LocalizedText("verify", ko: "재확인")
    ) { server, value, _ in server.verify = Sourced(value, .profile) },
    choice("calls", LocalizedText("save every call for the calls command", ko: "모든 호출을 calls에 저장"), path: \.calls) {
      server, value, _ in server.calls = Sourced(value, .profile)
    },
    choice(
      "apply",
      LocalizedText(
        "who approves plans: anyone, a person for those of agents, or a signature",
        ko: "계획을 승인하는 쪽: 누구나, 에이전트의 계획은 사람, 서명"),
      path: \.apply
    ) { server, value, _ in server.apply = Sourced(value, .profile) },
    choice(
      "two", LocalizedText("a signed plan needs two persons", ko: "서명된 계획에 두 사람의 서명이 필요"), path: \.two
    ) { server, value, _ in server.two = Sourced(value, .profile) },
  ]

  package static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
