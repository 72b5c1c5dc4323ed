import Catalog
import Text

extension HelpTopic {
  static let prefixesPage = HelpPage(
    title: Wording("words in front of any command", ko: "명령 앞에 붙이는 말"),
    sections: [
      HelpPage.Section(
        Wording("Prefixes", ko: "앞말"),
        [
          .init("dry", "say what would be written, and write nothing", ko: "쓸 것을 말하기만 하고 쓰지 않음"),
          .init("curl", "print the requests as curl commands instead", ko: "보내는 대신 curl 명령으로 보임"),
          .init("time", "where the time went: name, connect, TLS, first byte, body", ko: "어디에 시간이 들었는지"),
          .init("trace", "the exchange itself, secrets masked", ko: "주고받은 그대로, 비밀은 가림"),
          .init("watch SECONDS", "again and again; prints what changed", ko: "되풀이해서 바뀐 것을 보임"),
          .init("until EXPR", "ends a watch once it holds", ko: "맞으면 watch를 끝냄"),
        ]),
      HelpPage.Section(
        Wording("Examples", ko: "예"),
        [
          .init("dry patch mine price-=10%", "the plan alone", ko: "계획만"),
          .init("curl patch 42 price=3500", "to paste elsewhere", ko: "다른 곳에 붙여 넣기"),
          .init("time ls page 2", "one page, timed", ko: "한 쪽의 시간"),
          .init("watch 5 show 42 stock until stock=0", "every five seconds", ko: "5초마다"),
        ]),
    ],
    closing: Wording(
      "They may stand together: \(.command("time trace ls")).",
      ko: "함께 쓸 수 있습니다: \(.command("time trace ls"))."))
}
