import Text

extension HelpTopic {
  static let formatsPage = HelpPage(
    title: Wording("how data is written, and where to", ko: "데이터를 쓰는 형식과 보낼 곳"),
    sections: [
      HelpPage.Section(
        Wording("Formats", ko: "형식"),
        [
          .init("table", "for people; drawn to the width of the window", ko: "사람용; 창 너비에 맞춤"),
          .init("json", "one object, or one with all rows", ko: "객체 하나, 또는 모든 줄이 든 하나"),
          .init("jsonl", "one object a line", ko: "한 줄에 객체 하나"),
          .init("csv", "a header row, RFC 4180; formulas are guarded with '", ko: "머리 줄과 RFC 4180; 수식은 '로 막음"),
          .init("tsv", "cells apart by tabs", ko: "탭으로 나눔"),
          .init("markdown", "a table to paste", ko: "붙여 넣을 표"),
        ]),
      HelpPage.Section(
        Wording("Examples", ko: "예"),
        [
          .init("ls as csv", "this command only", ko: "이 명령만"),
          .init("format json", "from here on", ko: "이제부터"),
          .init("show 42 to 42.json", "the format from the ending", ko: "끝이름으로 형식을 정함"),
          .init("ls as jsonl | grep KRW", "to a program of yours", ko: "다른 프로그램으로"),
        ]),
    ],
    closing: Wording(
      "Data goes to standard output, everything said to you to standard error.",
      ko: "데이터는 표준 출력으로, 알림은 표준 오류로 나갑니다."))
}
