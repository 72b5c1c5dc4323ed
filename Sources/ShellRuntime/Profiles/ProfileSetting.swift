import CommandLanguage
import Foundation
import MarketAPI
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
      name: "url", summary: LocalizedText("server URL", ko: "서버 주소"), kind: .text, get: { $0.url },
      set: { profile, text, _ in
        guard ServerAddress(text) != nil else { throw SessionFactory.noAddress(text) }
        profile.url = text
        return true
      }, unset: { $0.url = nil }),
    ProfileSetting(
      name: "api", summary: LocalizedText("API edition (default: detected)", ko: "API 버전(기본: 자동 판별)"),
      kind: .choice(Edition.allCases.map(\.rawValue)), get: { $0.api },
      set: { profile, text, _ in
        guard Edition(rawValue: text) != nil else { return false }
        profile.api = text
        return true
      }, unset: { $0.api = nil }),
    chosen("confirm", LocalizedText("when to ask before a change", ko: "변경 전 확인"), \.confirm),
    chosen("access", LocalizedText("read-only or read-write", ko: "읽기 전용 또는 읽기·쓰기"), \.access),
    counted("vendor_id", LocalizedText("vendor ID", ko: "판매자 번호"), 1...Int.max, \.vendorID),
    counted(
      "settle", LocalizedText("seconds during which a change may still take effect", ko: "변경이 늦게 적용될 수 있는 시간(초)"),
      1...3600,
      \.settle),
    counted("timeout", LocalizedText("seconds to wait for a response", ko: "응답을 기다리는 시간(초)"), 1...3600, \.timeout),
    ProfileSetting(
      name: "proxy", summary: LocalizedText("http://HOST:PORT", ko: "http://호스트:포트"), kind: .text, get: { $0.proxy },
      set: { profile, text, _ in
        guard ProxyAddress(text) != nil else { throw SessionFactory.noProxy(text) }
        profile.proxy = text
        return true
      }, unset: { $0.proxy = nil }),
    ProfileSetting(
      name: "ca", summary: LocalizedText("file of trusted CA certificates", ko: "신뢰할 CA 인증서 파일"), kind: .file,
      get: { $0.ca },
      set: { profile, text, home in
        let path = Paths.expanded(text, home: home)
        _ = try ServerConfiguration.authorities(at: path)
        // The path is made absolute, because the program may be started from another folder next time.
        profile.ca = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        return true
      }, unset: { $0.ca = nil }),
    chosen(
      "http", LocalizedText("allow secrets over unencrypted http to another machine", ko: "다른 컴퓨터에 암호화 없이 시크릿 보내기 허용"),
      \.http),
    chosen(
      "verify", LocalizedText("when to check a change by reading the product again", ko: "변경한 상품을 다시 읽어 확인할 때"),
      \.verify),
    chosen("calls", LocalizedText("save every call for the calls command", ko: "모든 호출을 calls에 저장"), \.calls),
  ]

  package static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
