import Catalog
import Engine
import Foundation
import Platform
import Text

/// The text before the first prompt of a home: the market, what to type, and how to quit.
package struct Greeting: Sendable {
  private let mark: String

  package init(_ home: Home) { mark = home.state + "/greeted" }

  /// Returns the greeting on the first start in this home, and `nil` on later starts.
  func takeFirst(_ session: Session) -> LocalizedText? {
    guard access(mark, F_OK) != 0 else { return nil }
    // If the mark can't be saved, the greeting is repeated, which is better than omitting it.
    try? Files.makeFolder((mark as NSString).deletingLastPathComponent)
    try? Files.write(Data(), to: mark, mode: 0o600)
    return Greeting.words(session)
  }

  private static func words(_ session: Session) -> LocalizedText {
    let place =
      session.server.isEmbedded
      ? LocalizedText(
        "Welcome to openmarket. This market runs inside the program: try anything.",
        ko: "openmarket에 오신 것을 환영합니다. 프로그램 안의 마켓이니 마음껏 시험해 보세요.")
      : LocalizedText(
        "Welcome to openmarket. This is \(.foreign(session.server.name)).",
        ko: "openmarket에 오신 것을 환영합니다. 여기는 \(.foreign(session.server.name))입니다.")
    let rest = LocalizedText(
      """

      \(.command("ls")) lists its products, \(.command("show @1")) shows the first, \(.command("help")) explains the rest.
      Tab completes, Ctrl-R finds earlier lines, Ctrl-C cancels, Ctrl-D leaves.
      """,
      ko: """

        \(.command("ls"))로 상품 목록을, \(.command("show @1"))로 첫 상품을 보고, \(.command("help"))로 나머지를 봅니다.
        Tab은 채우기, Ctrl-R은 전에 친 줄 찾기, Ctrl-C는 취소, Ctrl-D는 나가기입니다.
        """)
    return LocalizedText(place.english + rest.english, ko: place.korean + rest.korean)
  }
}

/// Occasional tips after successful lines, until `set tips off`.
package struct Tips {
  /// The number of successful lines before the first tip of a session, and between tips.
  private static let first = 6
  private static let apart = 40

  private let choose: @Sendable (Int) -> Int
  private var lines = 0
  private var told: [Int] = []

  /// Creates the tips.
  ///
  /// `choose` returns a number from 0 up to its argument: random in the program, fixed in tests.
  package init(_ choose: @escaping @Sendable (Int) -> Int) { self.choose = choose }

  /// Counts a successful line, and returns a tip if it is time for one.
  ///
  /// No tip is repeated.
  package mutating func next() -> LocalizedText? {
    lines += 1
    guard lines == Tips.first || (lines > Tips.first && (lines - Tips.first) % Tips.apart == 0) else { return nil }
    let left = Tips.all.indices.filter { !told.contains($0) }
    guard !left.isEmpty else { return nil }
    let index = left[min(max(0, choose(left.count)), left.count - 1)]
    told.append(index)
    return Tips.all[index]
  }

  package static let all: [LocalizedText] = [
    LocalizedText(
      "\(.command("show @3")) means row 3 of the last listing, \(.command("show _")) the last product.",
      ko: "\(.command("show @3"))은 마지막 목록의 3행, \(.command("show _"))는 마지막 상품입니다."),
    LocalizedText("\(.command("undo")) takes back the last write.", ko: "\(.command("undo"))로 마지막 변경을 되돌립니다."),
    LocalizedText(
      "\(.command("dry")) in front of a command says what it would send.",
      ko: "명령 앞에 \(.command("dry"))를 붙이면 보낼 내용만 보여 줍니다."),
    LocalizedText(
      "\(.command("ls to page.csv")) writes a file, the format from its ending.",
      ko: "\(.command("ls to page.csv"))처럼 쓰면 확장자에 맞는 형식으로 저장합니다."),
    LocalizedText(
      "\(.command("ls grid")) lays products out as cards.", ko: "\(.command("ls grid"))로 상품을 카드로 봅니다."),
    LocalizedText(
      "\(.command("patch @1-3 price-=10% round 100")) changes three rows at once, after asking.",
      ko: "\(.command("patch @1-3 price-=10% round 100"))처럼 세 행을 한 번에, 확인한 뒤 바꿉니다."),
    LocalizedText(
      "Beginnings of names are enough for commands that only read: \(.command("sh 42")).",
      ko: "읽기만 하는 명령은 앞부분만 입력해도 됩니다: \(.command("sh 42"))"),
    LocalizedText(
      "\(.command("ls as json | jq .total")) hands the data to a program.",
      ko: "\(.command("ls as json | jq .total"))처럼 데이터를 다른 프로그램에 넘깁니다."),
    LocalizedText("\(.command("set lang ko")) speaks Korean.", ko: "\(.command("set lang en"))으로 영어를 씁니다."),
    LocalizedText(
      "\(.command("log")) keeps every write with before and after.", ko: "\(.command("log"))에 변경의 이전·이후 값이 남습니다."),
    LocalizedText("\(.command("set tips off")) ends these tips.", ko: "\(.command("set tips off"))로 팁을 끕니다."),
  ]
}
