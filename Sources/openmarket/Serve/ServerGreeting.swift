import EmbeddedMarket
import Foundation
import Platform
import Presentation
import Shell
import ShellRuntime
import Text

/// The lines that a served market prints for its teacher.
struct ServerGreeting {
  let api: ServedAPI
  /// The URLs without a trailing slash, the best one first.
  let addresses: [String]
  let vendors: [VendorLogin]
  let key: TeacherKey
  /// The language of the labels: that of the user on a terminal, otherwise English, which scripts read.
  let language: MessageLanguage

  private var address: String { addresses.first ?? "" }

  /// The lines: `openmarket serving …`, further addresses, one for each vendor, the login of the first, the teacher's
  /// pages, the OpenAPI document of an edition, and an example.
  var lines: [String] {
    [label("openmarket serving \(api.name) at", ko: "openmarket \(api.name) 서버:") + address]
      + addresses.dropFirst().map { label("also at", ko: "다른 주소:") + $0 } + logins.map(line) + loginExports + [
        label("teacher", ko: "교사용 페이지:") + "\(address)/?key=\(key.text)",
        label("class", ko: "수업 보고서:") + "\(address)/class?key=\(key.text)",
      ] + facts + [api.examples(base: address).read]
  }

  /// The vendors to log in as, or none if writes need no login.
  private var logins: [VendorLogin] { api.edition == nil && !api.hasVendors ? [] : vendors }

  /// The line about the API: the document of an edition, or a remark for a file that says that writes are not stored.
  private var facts: [String] {
    switch api {
    case .edition: return [label("openapi", ko: "OpenAPI 문서:") + "\(address)/openapi.json"]
    case .described(let description):
      guard description.forgetsWrites else { return [] }
      let remark = LocalizedText(
        "are stored here; \(description.file) says that its own server forgets them",
        ko: "여기서는 저장됩니다(\(description.file)의 서버는 저장하지 않음)")
      return [label("writes", ko: "쓰기:") + remark[language].plain]
    }
  }

  private func label(_ english: String, ko korean: String) -> String {
    (language == .korean ? korean : english) + " "
  }

  private func line(_ vendor: VendorLogin) -> String {
    api.hasVendors
      ? "vendor_id=\(vendor.vendorID) identifier=\(vendor.identifier) secret=\(vendor.secret) name=\(vendor.name)"
      : "password=\(vendor.secret)"
  }

  /// The assignments of variables from which the shell, and the `curl` lines of the page, take the first vendor.
  private var loginExports: [String] {
    guard let vendor = logins.first else { return [] }
    let values = [
      "IDENTIFIER": vendor.identifier, "VENDOR_ID": String(vendor.vendorID), "SECRET": vendor.secret,
    ]
    return api.loginVariables.map { "export OPENMARKET_\($0)='\(values[$0] ?? "")'" }
  }
}

extension ConnectionNotice {
  /// Prints the notice on standard error.
  func say(_ options: SessionOptions) {
    let console = DescriptorConsole()
    let language = (try? MessageLanguage(option: options.language, environment: Environment.current())) ?? .english
    let drawing = RenderOptions(
      language: language, width: console.width, colors: false, usesASCII: options.ascii, treatsAmbiguousAsWide: false,
      isTerminal: console.errorIsTerminal)
    console.writeMessage(MessageRenderer().render(message, drawing))
  }

  /// The number of closed connections in parentheses, or an empty text for a single one.
  private var count: LocalizedText {
    closedCount < 2
      ? LocalizedText(same: "")
      : LocalizedText(" (\(closedCount) in the last minute)", ko: "(최근 1분 동안 \(closedCount)개)")
  }

  private var message: Message {
    switch kind {
    case .full:
      .warning(
        "All \(limit) connections are in use. Closed the one that was idle for longest\(count[.english]).",
        ko: "연결 \(limit)개를 모두 쓰고 있어 가장 오래 쉰 연결을 닫았습니다\(count[.korean]).")
    case .busy:
      .warning(
        "All \(limit) connections are in use and none is idle. New connections wait.",
        ko: "연결 \(limit)개를 모두 쓰고 있고 쉬는 연결이 없습니다. 새 연결은 기다립니다.")
    case .share:
      .warning(
        "\(.value(address)) has more than its share of \(limit) connections. Closed those that were idle for longest\(count[.english]).",
        ko: "\(.value(address))의 연결이 몫인 \(limit)개보다 많아 가장 오래 쉰 연결을 닫았습니다\(count[.korean]).")
    case .silent:
      .warning(
        "\(.value(address)) has more than \(limit) connections without a request. Closed the oldest\(count[.english]).",
        ko: "\(.value(address))에서 요청 없이 연 연결이 \(limit)개보다 많아 오래된 것을 닫았습니다\(count[.korean]).")
    case .uploads:
      .warning(
        "Uploads take more than \(limit / 1_048_576) MiB of memory. Closed the slowest\(count[.english]).",
        ko: "업로드가 메모리를 \(limit / 1_048_576) MiB보다 많이 써서 가장 느린 것을 닫았습니다\(count[.korean]).")
    }
  }
}
