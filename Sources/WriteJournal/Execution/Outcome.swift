import Catalog
import Text

/// The outcome of one change of a plan, as data that the shell turns into messages.
///
/// It is indirect, because a batch stores an outcome for each of its writes and several components share it.
package indirect enum Outcome: Hashable, Sendable {
  /// Applied exactly once, and verified.
  ///
  /// `differences` are the sent fields that aren't read with the wanted value.
  case done(Product?, differences: [Difference])
  /// Already as wanted, so nothing was sent.
  ///
  /// `earlier` is the write of this journal that made it so, if known.
  case unchanged(Product, earlier: EarlierWrite? = nil)
  case refused(Rejection)
  /// Not a single byte of the write reached the server, for the given reason.
  ///
  /// `isAnswered` indicates that the server responded to the read before it.
  case notSent(String, isAnswered: Bool = false)
  /// Aborted before its last bytes, so it can't have been applied; with the reason.
  case aborted(String)
  /// Nothing was sent, because it couldn't be recorded first.
  ///
  /// `isPlanned` indicates that the change itself is recorded, so that `resume` sends it.
  case journalUnavailable(JournalError, isPlanned: Bool = false)
  /// Nothing was sent, because an earlier write to the same product has no outcome yet.
  case locked(ConflictingWrite)
  /// It was sent, and reading proved that it didn't take effect.
  ///
  /// `isAnswered` indicates that the server responded to it, as the evidence says.
  case notApplied(String, isAnswered: Bool)
  /// The server confirmed it, but at the end of the window all sent fields have their previous values.
  ///
  /// There is nothing to undo.
  case notStored(Product?, [ProductField], evidence: String)
  /// The outcome isn't known yet.
  ///
  /// It is resolved at the next start or by `status`.
  case unknown(String)
  /// Not started, because the batch stopped before it.
  case notStarted
  /// Nothing was sent, because these fields differ from what the plan is based on.
  case drifted([ProductField])
  /// Nothing was sent, because the id names another product now than the one that was meant.
  case otherProduct(ProductMismatch)
  /// Nothing was sent, because the row was created before, as this product, which doesn't exist any more.
  ///
  /// The mismatch is that of another product that has its id now.
  case createdAndGone(Product.ID, ProductMismatch? = nil)
  /// It can't be decided from here.
  ///
  /// The evidence is shown to the user, who decides.
  case needsDecision(String)
  /// The outcome couldn't be recorded in the journal.
  ///
  /// There it is pending, and `resume` resolves it.
  case unrecorded(Outcome, JournalError)

  /// The product as seen last in a response or by reading, if any.
  package var product: Product? {
    switch self {
    case .done(let product, _): product
    case .unchanged(let product, _): product
    case .notStored(let product, _, _): product
    case .unrecorded(let outcome, _): outcome.product
    case .refused, .notSent, .aborted, .journalUnavailable, .locked, .notApplied, .unknown, .notStarted, .drifted,
      .otherProduct, .createdAndGone, .needsDecision:
      nil
    }
  }

  /// The kind of outcome, as batches and the log name it.
  package var kind: OutcomeKind {
    switch self {
    case .done: .done
    case .unchanged: .unchanged
    case .refused: .refused
    case .notSent, .aborted, .journalUnavailable, .locked: .notSent
    case .notApplied, .notStored: .notApplied
    case .unknown, .needsDecision, .unrecorded: .unknown
    case .notStarted: .skipped
    case .drifted, .otherProduct, .createdAndGone: .drifted
    }
  }

  /// The word of ``kind``.
  package var label: String { kind.rawValue }

  /// A Boolean value that indicates whether the outcome counts towards stopping a batch.
  ///
  /// A conflict with another client's change isn't a failure of the server.
  package var isFailure: Bool {
    switch kind {
    case .done, .unchanged, .skipped, .drifted: false
    case .refused, .notSent, .notApplied, .unknown: true
    }
  }

  /// A Boolean value that indicates whether nothing is left to do.
  package var isSuccess: Bool {
    if case .done(_, let differences) = self { return !differences.isPartial }
    return kind == .unchanged
  }

  /// A Boolean value that indicates whether `resume` would make the write.
  package var canBeResumed: Bool {
    if case .notApplied = self { return true }
    return kind == .notSent || kind == .skipped
  }

  package var isUnknown: Bool { kind == .unknown }

  /// A Boolean value that indicates that the server reported success, and that the product wasn't read since, because it could
  /// not be or the user did not wait.
  package var isAcceptedUnread: Bool {
    guard case .unknown(let evidence) = self else { return false }
    return [Outcome.reportedSuccess, Outcome.reportedSuccessUnread].contains(evidence)
  }

  /// The evidence of a write that the server confirmed, before what a read showed.
  static let reportedSuccess = "the server reported success"
  /// The evidence of a write that the server confirmed and whose product could not be read.
  static let reportedSuccessUnread = reportedSuccess + ", but the product could not be read"
}

extension StyledText.Fragment {
  /// The Korean of a piece of evidence, for a message in Korean.
  package static func koreanEvidence(_ evidence: String) -> StyledText.Fragment {
    .foreign(PhraseTable.evidence.korean(evidence))
  }
}

extension PhraseTable {
  /// The Korean of the evidence that the log stores.
  package static let evidence = PhraseTable(
    ProductField.allCases.map { ($0.rawValue, $0.title.korean.plain) } + [
      // How a request ended.
      ("host {1} not found", "호스트를 찾을 수 없음: {1}"),
      ("connection refused", "연결이 거부됨"),
      ("no response in time", "제한 시간 안에 응답이 없음"),
      ("the connection was lost", "연결이 끊김"),
      ("the rest of the response did not arrive in time", "응답의 나머지가 제한 시간 안에 오지 않음"),
      ("the response was not HTTP", "HTTP 응답이 아님"),
      ("the header fields of the response were too long", "응답 헤더가 너무 긺"),
      ("the compressed response could not be read", "압축된 응답을 읽을 수 없음"),
      ("the request failed unexpectedly", "요청이 예상하지 못한 이유로 실패함"),
      ("the market could not be read", "마켓을 읽지 못함"),
      ("the request could not be made", "요청을 만들지 못함"),
      ("the {1} contains characters that cannot be sent", "{1}에 보낼 수 없는 문자가 있음"),
      ("edition {1} does not support this", "{1} API 버전에 없는 기능임"),
      ("the product must be read first", "상품을 먼저 읽어야 함"),
      ("the server returned a delete URL on another host: {1}", "서버가 알려 준 삭제 주소가 다른 서버의 것임: {1}"),
      ("the API edition is unknown", "API 버전을 알 수 없음"),
      ("not logged in", "로그인하지 않음"),
      ("the response was not valid HTTP", "HTTP에 맞지 않는 응답"),
      ("the proxy asked for a login", "프록시가 로그인을 요구함"),
      ("the server does not support TLS", "서버가 TLS를 지원하지 않음"),
      ("the response was too large", "응답이 너무 큼"),
      ("interrupted", "중단됨"),
      ("http to {1}", "http 연결: {1}"),
      ("invalid URL: {1}", "잘못된 주소: {1}"),
      ("header {1}", "헤더 {1}"),
      ("could not create the form", "폼을 만들지 못함"),
      ("not in the recording", "녹화 파일에 없음"),
      ("no response", "응답이 없음"),
      ("no response, and reading is inconclusive", "응답이 없고, 읽어서도 확인할 수 없음"),
      ("unreadable response", "읽을 수 없는 응답"),
      ("the server responded with status {1}", "서버 응답: 상태 코드 {1}"),
      ("the server redirected ({1})", "서버가 리다이렉트함({1})"),
      ("the response ({1}) did not contain the product", "응답({1})에 상품이 없음"),
      ("the list does not end", "목록이 끝나지 않음"),
      (
        "the delete request was interrupted; nothing was deleted: {1:phrase}",
        "삭제 요청이 중단되어 삭제되지 않음: {1:phrase}"
      ),
      (
        "the server allowed the deletion, but the delete request was not sent: {1:phrase}",
        "서버가 삭제를 허용했지만 삭제 요청을 보내지 못함: {1:phrase}"
      ),
      // What the response contained.
      ("the response contained product {1}, not the one that was sent", "응답에 보낸 것과 다른 {1}번 상품이 있음"),
      ("the response contained no product", "응답에 상품이 없음"),
      ("the response contained a different product", "응답에 다른 상품이 있음"),
      ("the server reported success", "서버는 성공으로 응답함"),
      (
        "the server reported success, but the product could not be read",
        "서버는 성공으로 응답했지만 상품을 읽지 못함"
      ),
      (
        "the server reported success, but the product does not exist",
        "서버는 성공으로 응답했지만 상품이 없음"
      ),
      ("the server reported success, and {1:phrase}", "서버는 성공으로 응답했지만 {1:phrase}"),
      // What reading shows.
      ("product {1} still exists", "{1}번 상품이 아직 있음"),
      ("product {1} no longer exists", "{1}번 상품이 없어짐"),
      ("the product does not exist", "상품이 없음"),
      ("the product no longer exists", "상품이 없어짐"),
      ("no longer exists", "없어짐"),
      ("{1:names} has its previous value, {2:phrase}", "{1:names}: 이전 값 그대로, {2:phrase}"),
      ("{1:names} has its previous value", "{1:names}: 이전 값 그대로"),
      ("{1:names} reads {2}, not {3}", "{1:names}: 요청한 값 {3}, 읽은 값 {2}"),
      ("{1:names} was {2}, wanted {3}, is {4}", "{1:names}: 이전 {2}, 요청 {3}, 현재 {4}"),
      ("{1:names} saved as {2}", "{1:names}: 서버가 저장한 값 {2}"),
      ("{1:names} changed since then to {2}", "{1:names}: 그 뒤에 바뀐 값 {2}"),
      ("{1:names} meanwhile read as {2}", "{1:names}: 그사이 읽은 값 {2}"),
      ("{1:names} not applied, still {2}", "{1:names}: 적용되지 않음, 현재 값 {2}"),
      ("modified since, at {1}", "그 뒤에 수정됨({1})"),
      ("changed since the plan was made: {1:names}", "계획을 만든 뒤에 바뀜: {1:names}"),
      ("someone else is also making changes", "다른 사람도 변경하고 있음"),
      (
        "the stock is as the change would leave it, and a purchase leaves it so, too",
        "재고가 변경한 뒤의 값과 같지만, 구매로도 그렇게 됨"
      ),
      ("could be {1}", "해당할 수 있는 상품: {1}"),
      ("sent completely at {1}, not found as of {2}", "{1}에 전송을 마쳤고 {2}까지 보이지 않음"),
      ("not found as of {1}", "{1}까지 보이지 않음"),
      ("created before by log entry {1}: product {2}", "로그 {1}번이 이미 등록함: {2}번 상품"),
      ("another product has the number: {1}", "같은 번호의 다른 상품: {1}"),
      ("checked, applied", "확인 결과 적용됨"),
      ("checking failed: {1:phrase}", "확인하지 못함: {1:phrase}"),
      ("the check before sending failed: {1:phrase}", "보내기 전에 확인하지 못함: {1:phrase}"),
      // What happened to the entry.
      ("blocked by log entry {1}", "로그 {1}번 때문에 보내지 않음"),
      ("outcome unknown: the program ended", "결과 미확인: 프로그램이 끝남"),
      ("openmarket exited before a response arrived", "응답이 오기 전에 openmarket이 끝남"),
      ("openmarket exited before the whole request was sent", "요청을 다 보내기 전에 openmarket이 끝남"),
      ("will be sent again (your decision)", "다시 보낼 예정(직접 결정함)"),
      ("another change replaced it", "다른 변경이 대신함"),
      ("its run was given up", "그 실행을 그만둠"),
      ("another run makes it", "다른 실행이 처리함"),
      ("a later change states the same fields", "뒤의 변경이 같은 필드의 값을 정함"),
      ("it was planned again", "다시 계획됨"),
      ("a raw request", "raw 요청"),
      ("its images are no longer available", "사진이 더 이상 없음"),
      ("the new number of product {1} was modified on disk", "{1}번 상품의 새 번호가 파일에서 바뀜"),
      // What is wrong with the log itself.
      ("journal.sqlite was deleted or replaced", "journal.sqlite 파일이 지워지거나 바뀜"),
      ("a transaction without a result", "결과가 없는 트랜잭션"),
      ("cannot be read", "읽을 수 없음"),
      ("not a date and time: {1}", "날짜와 시각이 아님: {1}"),
    ])
}
