import Foundation
import Platform
import ShellRuntime
import Text

/// Occasional tips after successful lines, until `set tips off`.
package struct Tips {
  /// The number of successful lines before the first tip of a session, and between tips.
  private static let first = 6
  private static let interval = 40

  private let choose: @Sendable (Int) -> Int
  private var lines = 0
  private var shown: [Int] = []

  /// Creates the tips.
  ///
  /// `choose` returns a number from 0 up to its argument: random in the program, fixed in tests.
  package init(_ choose: @escaping @Sendable (Int) -> Int) { self.choose = choose }

  /// Counts a successful line, and returns a tip if it is time for one.
  ///
  /// No tip is repeated.
  package mutating func next() -> LocalizedText? {
    lines += 1
    guard lines == Tips.first || (lines > Tips.first && (lines - Tips.first) % Tips.interval == 0) else { return nil }
    let left = Tips.all.indices.filter { !shown.contains($0) }
    guard !left.isEmpty else { return nil }
    let index = left[min(max(0, choose(left.count)), left.count - 1)]
    shown.append(index)
    return Tips.all[index]
  }

  package static let all: [LocalizedText] = [
    LocalizedText(
      "\(.command("show @3")) shows row 3 of the last list, \(.command("show _")) the last product.",
      ko: "\(.command("show @3"))은 마지막 목록의 3행, \(.command("show _"))는 마지막 상품입니다."),
    LocalizedText(
      "\(.command("undo")) undoes your last change.", ko: "마지막 변경을 되돌리려면 \(.command("undo"), .object) 실행하세요."),
    LocalizedText(
      "Put \(.command("dry")) before a command to see what it would send.",
      ko: "명령 앞에 \(.command("dry"), .object) 붙이면 보낼 내용만 보여 줍니다."),
    LocalizedText(
      "\(.command("ls to page.csv")) saves the list. The file extension selects the format.",
      ko: "\(.command("ls to page.csv"))처럼 쓰면 확장자에 맞는 형식으로 저장합니다."),
    LocalizedText(
      "\(.command("ls grid")) shows products as cards.", ko: "\(.command("ls grid"))는 상품을 카드로 보여 줍니다."),
    LocalizedText(
      "\(.command("patch @1-3 price-=10% round 100")) changes three products at once, after asking.",
      ko: "\(.command("patch @1-3 price-=10% round 100"))처럼 세 행을 한 번에, 확인한 뒤 바꿉니다."),
    LocalizedText(
      "Commands that only read can be shortened: \(.command("sh 42"))",
      ko: "읽기만 하는 명령은 앞부분만 입력해도 됩니다: \(.command("sh 42"))"),
    LocalizedText(
      "\(.command("ls as json | jq .total")) pipes the data to another program.",
      ko: "\(.command("ls as json | jq .total"))처럼 데이터를 다른 프로그램에 넘깁니다."),
    LocalizedText(
      "\(.command("set lang ko")) switches to Korean.", ko: "영어로 보려면 \(.command("set lang en"), .object) 실행하세요."),
    LocalizedText(
      "\(.command("log")) lists your changes, with values before and after.",
      ko: "\(.command("log"))에 변경의 이전·이후 값이 남습니다."),
    LocalizedText(
      "\(.command("set tips off")) turns off these tips.", ko: "팁을 끄려면 \(.command("set tips off"), .object) 실행하세요."),
  ]
}

/// The text before the first prompt of a home: the market, what to type, and how to quit.
package struct WelcomeMessage: Sendable {
  private let markerPath: String

  package init(_ home: AppDirectories) { markerPath = home.state + "/greeted" }

  /// Returns the greeting on the first start in this home, and `nil` on later starts.
  func textOnFirstRun(_ session: Session) -> LocalizedText? {
    guard access(markerPath, F_OK) != 0 else { return nil }
    // If the mark can't be saved, the greeting is repeated, which is better than omitting it.
    try? Files.createDirectory((markerPath as NSString).deletingLastPathComponent)
    try? Files.write(Data(), to: markerPath, mode: 0o600)
    return WelcomeMessage.words(session)
  }

  private static func words(_ session: Session) -> LocalizedText {
    let location =
      session.server.isEmbedded
      ? LocalizedText(
        "Welcome to openmarket and its built-in market. Feel free to try anything.",
        ko: "openmarket에 오신 것을 환영합니다. 내장 마켓에서 자유롭게 시험해 보세요.")
      : LocalizedText(
        "Welcome to openmarket. You are connected to \(.foreign(session.server.name)).",
        ko: "openmarket에 오신 것을 환영합니다. \(.foreign(session.server.name))에 연결되어 있습니다.")
    let learning =
      session.server.isEmbedded
      ? LocalizedText(", \(.command("learn")) for ten steps", ko: ", \(.command("learn"), .toward) 열 단계 배우기를")
      : LocalizedText(same: "")
    let rest = LocalizedText(
      """

      Type \(.command("ls")) for products, \(.command("show @1")) for the first\(learning.english), \(.command("help")) for all.
      Tab completes, Ctrl-R searches history, Ctrl-C cancels, Ctrl-D exits.
      """,
      ko: """

        \(.command("ls"))로 상품 목록을, \(.command("show @1"))로 첫 상품을\(learning.korean), \(.command("help"))로 모든 명령을 볼 수 있습니다.
        Tab은 자동 완성, Ctrl-R은 입력 기록 검색, Ctrl-C는 취소, Ctrl-D는 종료.
        """)
    return LocalizedText(location.english + rest.english, ko: location.korean + rest.korean)
  }
}
