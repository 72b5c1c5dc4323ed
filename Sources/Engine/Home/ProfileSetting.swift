import Catalog
import Foundation
import Journal
import Language
import Marketplace
import Networking
import Platform
import Text

/// A setting of a profile, by the name users type: how it is parsed, checked, set and unset.
package struct ProfileSetting: Sendable {
  package let name: String
  package let summary: LocalizedText
  package let kind: ValueKind
  /// Returns the value as it would be typed, or `nil` if the profile doesn't set it.
  package let get: @Sendable (Profile) -> String?
  /// Sets a value that isn't empty, or returns false if the text is invalid.
  ///
  /// `home` replaces `~`.
  fileprivate let set: @Sendable (_ profile: inout Profile, _ text: String, _ home: String?) throws -> Bool
  fileprivate let unset: @Sendable (_ profile: inout Profile) -> Void

  /// Sets the value, or unsets it if the text is empty.
  ///
  /// - Parameters:
  ///   - text: The typed value.
  ///   - profile: The profile.
  ///   - home: The user's home folder, which replaces `~`.
  ///   - range: The position of the value for an error.
  /// - Throws: `ParseError` with the valid values, `Failure` and `FileError` for a URL or a file that can't be used.
  package func apply(_ text: String, to profile: inout Profile, home: String?, at range: Range<Int>?) throws {
    if text.isEmpty { return unset(&profile) }
    guard try set(&profile, text, home) else {
      throw ParseError(
        LocalizedText(
          "\(.field(name)) cannot be \(.value(text)).", ko: "\(.field(name))에 \(.value(text), .object) 쓸 수 없습니다."),
        next: expected, at: range)
    }
  }

  private var expected: LocalizedText {
    switch kind {
    case .choice(let words):
      let list = words.joined(separator: ", ")
      return LocalizedText(
        "It is one of \(list); \(.command("\(name)=")) unsets it.",
        ko: "\(list) 중 하나입니다. \(.command("\(name)="), .toward) 지웁니다.")
    case .number(let range):
      let most = range.upperBound == .max ? nil : range.upperBound
      return most.map { most in
        LocalizedText(
          "It is a whole number from \(range.lowerBound) to \(most); \(.command("\(name)=")) unsets it.",
          ko: "\(range.lowerBound)부터 \(most)까지의 정수입니다. \(.command("\(name)="), .toward) 지웁니다.")
      }
        ?? LocalizedText(
          "It is a whole number from \(range.lowerBound); \(.command("\(name)=")) unsets it.",
          ko: "\(range.lowerBound) 이상의 정수입니다. \(.command("\(name)="), .toward) 지웁니다.")
    default: return LocalizedText("\(.command("\(name)=")) unsets it.", ko: "\(.command("\(name)="), .toward) 지웁니다.")
    }
  }

  private static func chosen<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ summary: LocalizedText, _ path: any WritableKeyPath<Profile, Value?> & Sendable
  ) -> ProfileSetting {
    ProfileSetting(name: name, summary: summary, kind: .choice(Value.allCases.map(\.rawValue))) {
      $0[keyPath: path]?.rawValue
    } set: { profile, text, _ in
      guard let value = Value(rawValue: text) else { return false }
      profile[keyPath: path] = value
      return true
    } unset: {
      $0[keyPath: path] = nil
    }
  }

  private static func counted(
    _ name: String, _ summary: LocalizedText, _ range: ClosedRange<Int>,
    _ path: any WritableKeyPath<Profile, Int?> & Sendable
  ) -> ProfileSetting {
    ProfileSetting(name: name, summary: summary, kind: .number(range)) {
      $0[keyPath: path].map { String($0) }
    } set: { profile, text, _ in
      guard let number = Int(text), range.contains(number) else { return false }
      profile[keyPath: path] = number
      return true
    } unset: {
      $0[keyPath: path] = nil
    }
  }

  package static let all: [ProfileSetting] = [
    ProfileSetting(
      name: "url", summary: LocalizedText("the server's address", ko: "서버 주소"), kind: .text, get: { $0.url },
      set: { profile, text, _ in
        guard ServerAddress(text) != nil else { throw SessionFactory.noAddress(text) }
        profile.url = text
        return true
      }, unset: { $0.url = nil }),
    ProfileSetting(
      name: "api", summary: LocalizedText("its edition; found out without it", ko: "서버 버전; 없으면 알아냄"),
      kind: .choice(Edition.allCases.map(\.rawValue)), get: { $0.api },
      set: { profile, text, _ in
        guard Edition(rawValue: text) != nil else { return false }
        profile.api = text
        return true
      }, unset: { $0.api = nil }),
    chosen("confirm", LocalizedText("when a write asks", ko: "변경 전 확인"), \.confirm),
    chosen("access", LocalizedText("whether it may be written", ko: "쓰기 권한"), \.access),
    counted("vendor_id", LocalizedText("the vendor's number", ko: "판매자 번호"), 1...Int.max, \.vendorID),
    counted(
      "settle", LocalizedText("seconds in which a write may still take effect", ko: "변경이 늦게 적용될 수 있는 시간(초)"), 1...3600,
      \.settle),
    counted("timeout", LocalizedText("seconds an answer is waited for", ko: "응답을 기다리는 시간(초)"), 1...3600, \.timeout),
    ProfileSetting(
      name: "proxy", summary: LocalizedText("http://HOST:PORT", ko: "http://호스트:포트"), kind: .text, get: { $0.proxy },
      set: { profile, text, _ in
        guard ProxyAddress(text) != nil else { throw SessionFactory.noProxy(text) }
        profile.proxy = text
        return true
      }, unset: { $0.proxy = nil }),
    ProfileSetting(
      name: "ca", summary: LocalizedText("a file of certificates to trust", ko: "신뢰할 인증서 파일"), kind: .file,
      get: { $0.ca },
      set: { profile, text, home in
        let path = Paths.expanded(text, home: home)
        _ = try ServerContext.authorities(at: path)
        // The path is made absolute, because the program may be started from another folder next time.
        profile.ca = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        return true
      }, unset: { $0.ca = nil }),
    chosen("http", LocalizedText("plain http to another machine", ko: "다른 컴퓨터에 암호화 없이 연결"), \.http),
    chosen("verify", LocalizedText("when an answered write is read back", ko: "변경 뒤 다시 읽어 확인할 때"), \.verify),
    chosen("calls", LocalizedText("whether requests are kept for calls", ko: "호출을 calls에 남길지"), \.calls),
  ]

  package static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
