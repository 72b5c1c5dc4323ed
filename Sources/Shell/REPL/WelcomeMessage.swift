import Foundation
import Platform
import ShellRuntime
import Text

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
    let place =
      session.server.isEmbedded
      ? LocalizedText(
        "Welcome to openmarket and its built-in market. Feel free to try anything.",
        ko: "openmarket에 오신 것을 환영합니다. 내장 마켓에서 자유롭게 시험해 보세요.")
      : LocalizedText(
        "Welcome to openmarket. You are connected to \(.foreign(session.server.name)).",
        ko: "openmarket에 오신 것을 환영합니다. \(.foreign(session.server.name))에 연결되어 있습니다.")
    let rest = LocalizedText(
      """

      Type \(.command("ls")) for products, \(.command("show @1")) for the first one, \(.command("help")) for all commands.
      Tab completes, Ctrl-R searches history, Ctrl-C cancels, Ctrl-D exits.
      """,
      ko: """

        \(.command("ls"))로 상품 목록을, \(.command("show @1"))로 첫 상품을, \(.command("help"))로 모든 명령을 볼 수 있습니다.
        Tab은 자동 완성, Ctrl-R은 입력 기록 검색, Ctrl-C는 취소, Ctrl-D는 종료.
        """)
    return LocalizedText(place.english + rest.english, ko: place.korean + rest.korean)
  }
}
