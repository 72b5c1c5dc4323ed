import Catalog
import Engine
import Foundation
import Platform
import Text

/// What is said before the first prompt ever: where one is, what to type, how to leave.
package struct Greeting: Sendable {
  private let mark: String

  package init(_ home: Home) { mark = home.state + "/greeted" }

  /// Three lines on the first start in this home, nil on all others.
  func takeFirst(_ session: Session) -> Wording? {
    guard access(mark, F_OK) != 0 else { return nil }
    // Where nothing can be kept, saying it again is better than not at all.
    try? Files.makeFolder((mark as NSString).deletingLastPathComponent)
    try? Files.write(Data(), to: mark, mode: 0o600)
    return Greeting.words(session)
  }

  private static func words(_ session: Session) -> Wording {
    let place =
      session.place.isEmbedded
      ? Wording(
        "Welcome to openmarket. This market runs inside the program: try anything.",
        ko: "openmarket에 오신 것을 환영합니다. 이 시장은 프로그램 안에서 도니 마음껏 해 보세요.")
      : Wording(
        "Welcome to openmarket. This is \(.foreign(session.place.name)).",
        ko: "openmarket에 오신 것을 환영합니다. 여기는 \(.foreign(session.place.name))입니다.")
    let rest = Wording(
      """

      \(.command("ls")) lists its products, \(.command("show @1")) shows the first, \(.command("help")) explains the rest.
      Tab completes, Ctrl-R finds earlier lines, Ctrl-C cancels, Ctrl-D leaves.
      """,
      ko: """

        \(.command("ls"))로 상품 목록을, \(.command("show @1"))로 첫 상품을 보고, \(.command("help"))로 나머지를 봅니다.
        Tab은 채우기, Ctrl-R은 전에 친 줄 찾기, Ctrl-C는 취소, Ctrl-D는 나가기입니다.
        """)
    return Wording(place.english + rest.english, ko: place.korean + rest.korean)
  }
}
