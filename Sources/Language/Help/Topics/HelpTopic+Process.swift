import Catalog
import Text

extension HelpTopic {
  static let exitCodesPage = HelpPage(
    title: Wording("how a run ends, for scripts", ko: "종료 코드, 스크립트용"),
    sections: [
      HelpPage.Section(
        Wording("Exit codes", ko: "종료 코드"),
        [
          .init("0", "every command did what it was asked", ko: "모든 명령이 시킨 대로 됨"),
          .init("1", "the server refused, or the thing does not exist", ko: "서버가 거절했거나 그런 것이 없음"),
          .init("2", "the line could not be understood; nothing was sent", ko: "줄을 이해하지 못함; 아무것도 보내지 않음"),
          .init("3", "the server could not be reached; nothing was applied", ko: "서버에 닿지 못함; 아무것도 바뀌지 않음"),
          .init(
            "4", "held back by a guard: not confirmed, read-only, not logged in, outlier",
            ko: "막힘: 확인받지 못함, 읽기 전용, 로그인 안 됨, 튀는 값"),
          .init("5", "an outcome is still unknown and kept in the journal", ko: "결과를 아직 모르고 기록에 남아 있음"),
          .init("6", "an assertion failed", ko: "assert가 맞지 않음"),
          .init("7", "a batch ended with some items not done", ko: "묶음 가운데 일부가 되지 않음"),
          .init("130", "interrupted", ko: "중단됨"),
          .init("129, 131, 143", "ended by SIGHUP, SIGQUIT or SIGTERM", ko: "SIGHUP, SIGQUIT, SIGTERM으로 끝남"),
        ])
    ],
    closing: Wording(
      "A script stops at its first failing command; with \(.value("--keep-going")) it goes on and still ends non-zero.",
      ko: "스크립트는 처음 실패한 명령에서 멈춥니다. \(.value("--keep-going"))을 주면 계속하지만 0이 아닌 수로 끝납니다."))

  static let environmentPage = HelpPage(
    title: Wording("variables that are read at the start", ko: "시작할 때 읽는 환경 변수"),
    sections: [
      HelpPage.Section(
        Wording("Environment", ko: "환경 변수"),
        [
          .init("OPENMARKET_PROFILE", "the profile", ko: "프로필"),
          .init("OPENMARKET_URL", "the server's address, without a profile", ko: "서버 주소, 프로필 없이"),
          .init("OPENMARKET_API", "its edition", ko: "서버의 판"),
          .init("OPENMARKET_HOME", "the folder that keeps everything", ko: "모든 것을 두는 폴더"),
          .init("OPENMARKET_IDENTIFIER", "the vendor's identifier", ko: "판매자 식별자"),
          .init("OPENMARKET_SECRET", "the vendor's secret", ko: "판매자 비밀 값"),
          .init("OPENMARKET_VENDOR_ID", "the vendor's number", ko: "판매자 번호"),
          .init("OPENWEATHER_API_KEY", "for weather", ko: "날씨용 키"),
          .init("OPENWEATHER_URL", "another address for weather", ko: "날씨의 다른 주소"),
          .init("NO_COLOR", "no colours when it is set", ko: "값이 있으면 색 없이"),
          .init("PAGER", "shows what does not fit the screen; less -R without it", ko: "화면에 넘치는 것을 보여 줌; 없으면 less -R"),
          .init("VISUAL, EDITOR", "the editor of edit", ko: "edit가 쓰는 편집기"),
        ])
    ],
    closing: Wording(
      "An option beats the environment, the environment the profile; \(.command("session")) says what came from where.",
      ko: "옵션이 환경 변수보다, 환경 변수가 프로필보다 먼저입니다. \(.command("session")) 명령이 출처를 보여 줍니다."))

  static let keysPage = HelpPage(
    title: Wording("keys at the prompt", ko: "프롬프트의 키"),
    sections: [
      HelpPage.Section(
        Wording("Keys", ko: "키"),
        [
          .init("Tab", "completes and explains; again goes on to the next", ko: "채우고 설명; 다시 누르면 다음 것"),
          .init("Up, Down", "the row above, below; then earlier and later lines", ko: "윗줄과 아랫줄, 그다음은 전에 친 줄"),
          .init("Ctrl-R", "searches earlier lines", ko: "전에 친 줄 찾기"),
          .init("Right, Ctrl-F", "takes the dim suggestion", ko: "흐린 제안을 받음"),
          .init("Alt-F", "takes one word of it", ko: "제안의 한 낱말만"),
          .init("Ctrl-A, Ctrl-E", "beginning and end of the line", ko: "줄의 처음과 끝"),
          .init("Ctrl-W, Ctrl-U, Ctrl-K", "cut a word, to the beginning, to the end", ko: "낱말, 처음까지, 끝까지 자르기"),
          .init("Ctrl-Y", "puts back what was cut", ko: "자른 것을 다시"),
          .init("Ctrl-L", "clears the screen", ko: "화면 지우기"),
          .init("Ctrl-C", "drops the line, cancels a request", ko: "줄을 버림, 요청을 취소"),
          .init("Ctrl-D", "leaves", ko: "나가기"),
        ])
    ],
    closing: Wording(
      "\(.command("set keys vi")) edits as vi does; \(.value(".editrc")) is read.",
      ko: "\(.command("set keys vi"))면 vi처럼 고칩니다. \(.value(".editrc"))도 읽습니다."))
}
