import Text

/// Command lines to show as examples, with their meaning.
enum ProgramExamples {
  static let all: [(line: String, meaning: LocalizedText)] = [
    ("openmarket", LocalizedText("opens the built-in market", ko: "내장 마켓을 엽니다")),
    (
      "openmarket -c 'ls where stock=0 as csv' > sold-out.csv",
      LocalizedText("saves the sold-out products", ko: "품절 상품을 저장합니다")
    ),
    (
      "openmarket --url https://shop.example --read-only",
      LocalizedText("looks around on a server, without changes", ko: "서버를 변경 없이 살펴봅니다")
    ),
    (
      "openmarket --yes -f evening.market",
      LocalizedText("runs a script that changes products", ko: "상품을 변경하는 스크립트를 실행합니다")
    ),
    (
      "openmarket --junit report.xml -f tests.market",
      LocalizedText("runs a script as tests", ko: "스크립트를 테스트로 실행합니다")
    ),
  ]
}
