import Catalog
import ShellRuntime
import Testing
import Text

@testable import WriteJournal

/// The reasons for outcomes, as the journal stores them and as they are shown.
struct EvidenceTests {
  private static let phrases: [(Evidence, english: String, korean: String)] = [
    (.connectionLost, "the connection was lost", "연결이 끊김"),
    (.checkFailed(.noResponseInTime), "checking failed: no response in time", "확인하지 못함: 제한 시간 안에 응답이 없음"),
    (.otherValue(.price, now: "10", wanted: "12"), "price reads 10, not 12", "정가: 요청한 값 12, 읽은 값 10"),
    (
      .all([.difference(.stock, .stored, now: "3"), .difference(.id, .gone, now: nil)]),
      "stock saved as 3; the product no longer exists", "재고: 서버가 저장한 값 3; 상품이 없어짐"
    ),
    (
      .changedSincePlan([.price, .stock]), "changed since the plan was made: price, stock",
      "계획을 만든 뒤에 바뀜: 정가, 재고"
    ),
    (
      .rawRequest("POST /x", .status(500, message: "Internal Server Error")),
      "POST /x: HTTP 500: Internal Server Error", "POST /x: HTTP 500: Internal Server Error"
    ),
    (
      .reportedSuccess(.stillExists(7)), "the server reported success, and product 7 still exists",
      "서버는 성공으로 응답했지만 7번 상품이 아직 있음"
    ),
    (.notFound(sentAt: nil, until: "12:00"), "not found as of 12:00", "12:00까지 보이지 않음"),
    (.candidates([61, 62]), "could be 61, 62", "해당할 수 있는 상품: 61, 62"),
    (
      .difference(.stock, .unconfirmed, now: "27"), "stock is 27 now; whether this change set it is not known",
      "재고: 현재 27, 이 변경으로 바뀐 것인지는 알 수 없음"
    ),
    (
      .mayBePassedOnBefore(entry: 7),
      "the server refused for now (429) but may have applied it, and log entry 7 has changed the same field since",
      "서버가 지금은 받지 않는다고 했지만(429) 적용했을 수 있고, 그 뒤에 로그 7번이 같은 필드를 바꿈"
    ),
    (
      .mayBeMadeElsewhere,
      "products have changed since, so somebody else or another copy of this home folder may have made the change",
      "그 뒤에 상품이 바뀌어, 다른 사람이나 이 홈 폴더의 다른 사본이 이미 변경했을 수 있음"
    ),
  ]

  @Test(arguments: phrases.indices) func evidenceHasWordsInBothLanguages(_ index: Int) {
    let (evidence, english, korean) = Self.phrases[index]
    #expect(evidence.wording.english.plain == english)
    #expect(evidence.wording.korean.plain == korean)
  }

  @Test(arguments: phrases.indices) func storedEvidenceIsReadBackUnchanged(_ index: Int) {
    let evidence = Self.phrases[index].0
    #expect(Evidence(stored: evidence.json) == evidence)
  }

  /// The format on disk: renaming a case would make it a text.
  @Test func storedFormStaysTheSame() {
    #expect(Evidence(stored: #"{"blocked":{"entry":3}}"#) == .blocked(entry: 3))
    #expect(
      Evidence(stored: #"{"checkFailed":{"_0":{"hostNotFound":{"_0":"x"}}}}"#) == .checkFailed(.hostNotFound("x")))
    #expect(
      Evidence(stored: #"{"values":{"_0":"price","before":"1","now":"3","wanted":"2"}}"#)
        == .values(.price, before: "1", wanted: "2", now: "3"))
  }

  /// Earlier versions stored English sentences, and a later one may store codes that this one doesn't know.
  @Test(arguments: ["the connection was lost", "POST /x: {\"a\":1}", "{not JSON", #"{"unknownCode":{}}"#])
  func otherTextIsShownAsItIs(_ text: String) {
    #expect(Evidence(stored: text) == .text(text))
    #expect(Evidence(stored: text)?.wording.korean.plain == text)
  }

  @Test func absentEvidenceIsNone() {
    #expect(Evidence(stored: nil) == nil)
    #expect(Evidence(stored: "") == nil)
  }

  /// A text of the server may contain what was sent.
  @Test(arguments: [
    Evidence.status(400, message: "no user s3cret"), .text("s3cret"), .checkFailed(.invalidURL("http://s3cret")),
    .rawRequest("GET /s3cret", .tlsFailed("s3cret")), .all([.foreignDeletionURL("s3cret"), .otherProduct("s3cret")]),
    .values(.name, before: "s3cret", wanted: "s3cret", now: "s3cret"), .difference(.name, .changed, now: "s3cret"),
    .otherValue(.name, now: "s3cret", wanted: "s3cret"), .reportedSuccess(.deletionNotSent(.hostNotFound("s3cret"))),
  ])
  func secretsAreRemoved(_ evidence: Evidence) {
    #expect(evidence.json.contains("s3cret"))
    #expect(!evidence.masked { $0.replacing("s3cret", with: "***") }.json.contains("s3cret"))
  }
}
