import Catalog
import Text
import WriteJournal

extension Evidence {
  /// The English text, as data contains it.
  package var english: String { wording.english.plain }

  /// The evidence in both languages.
  package var wording: LocalizedText {
    switch self {
    case .hostNotFound(let host):
      LocalizedText("host \(.foreign(host)) not found", ko: "호스트를 찾을 수 없음: \(.foreign(host))")
    case .connectionRefused: LocalizedText("connection refused", ko: "연결이 거부됨")
    case .networkUnreachable: LocalizedText("the network is unreachable", ko: "네트워크에 연결할 수 없음")
    case .tlsFailed(let text): LocalizedText(same: "TLS: \(.foreign(text))")
    case .noResponseInTime: LocalizedText("no response in time", ko: "제한 시간 안에 응답이 없음")
    case .restOfResponseMissing:
      LocalizedText(
        "the rest of the response did not arrive in time", ko: "응답의 나머지가 제한 시간 안에 오지 않음")
    case .connectionLost: LocalizedText("the connection was lost", ko: "연결이 끊김")
    case .notHTTP: LocalizedText("the response was not HTTP", ko: "HTTP 응답이 아님")
    case .invalidHTTP: LocalizedText("the response was not valid HTTP", ko: "HTTP에 맞지 않는 응답")
    case .headerFieldsTooLong:
      LocalizedText("the header fields of the response were too long", ko: "응답 헤더가 너무 긺")
    case .undecodableContent:
      LocalizedText("the compressed response could not be read", ko: "압축된 응답을 읽을 수 없음")
    case .proxyLoginRequired: LocalizedText("the proxy asked for a login", ko: "프록시가 로그인을 요구함")
    case .serverWithoutTLS: LocalizedText("the server does not support TLS", ko: "서버가 TLS를 지원하지 않음")
    case .responseTooLarge: LocalizedText("the response was too large", ko: "응답이 너무 큼")
    case .interrupted: LocalizedText("interrupted", ko: "중단됨")
    case .insecureHost(let host): LocalizedText("http to \(.foreign(host))", ko: "http 연결: \(.foreign(host))")
    case .methodNotAllowed(let method):
      LocalizedText(
        "\(.foreign(method)) where only reads are allowed", ko: "조회만 할 수 있는 곳에 보낸 \(.foreign(method))")
    case .invalidURL(let url): LocalizedText("invalid URL: \(.foreign(url))", ko: "잘못된 주소: \(.foreign(url))")
    case .invalidHeader(let name): LocalizedText("header \(.foreign(name))", ko: "헤더 \(.foreign(name))")
    case .invalidForm: LocalizedText("could not create the form", ko: "폼을 만들지 못함")
    case .missingInRecording: LocalizedText("not in the recording", ko: "녹화 파일에 없음")
    case .noResponse: LocalizedText("no response", ko: "응답이 없음")
    case .requestNotMade: LocalizedText("the request could not be made", ko: "요청을 만들지 못함")
    case .notLoggedIn: LocalizedText("not logged in", ko: "로그인하지 않음")
    case .invalidCredential(let part):
      LocalizedText(
        "the \(.foreign(part)) contains characters that cannot be sent", ko: "\(.foreign(part))에 보낼 수 없는 문자가 있음")
    case .unsupported(let edition):
      LocalizedText(
        "edition \(.foreign(edition)) does not support this", ko: "\(.foreign(edition)) API 버전에 없는 기능임")
    case .productNotRead: LocalizedText("the product must be read first", ko: "상품을 먼저 읽어야 함")
    case .foreignDeletionURL(let url):
      LocalizedText(
        "the server returned a delete URL on another host: \(.foreign(url))",
        ko: "서버가 알려 준 삭제 주소가 다른 서버의 것임: \(.foreign(url))")
    case .unknownEdition: LocalizedText("the API edition is unknown", ko: "API 버전을 알 수 없음")
    case .deletionInterrupted(let reason):
      LocalizedText(
        "the delete request was interrupted; nothing was deleted: \(reason.wording.english)",
        ko: "삭제 요청이 중단되어 삭제되지 않음: \(reason.wording.korean)")
    case .deletionNotSent(let reason):
      LocalizedText(
        "the server allowed the deletion, but the delete request was not sent: \(reason.wording.english)",
        ko: "서버가 삭제를 허용했지만 삭제 요청을 보내지 못함: \(reason.wording.korean)")
    case .status(let status, let message):
      LocalizedText(same: message.map { "HTTP \(status): \(.foreign($0))" } ?? "HTTP \(status)")
    case .unexpectedStatus(let status):
      LocalizedText("the server responded with status \(status)", ko: "서버 응답: 상태 코드 \(status)")
    case .redirected(let status):
      LocalizedText("the server redirected (\(status))", ko: "서버가 리다이렉트함(\(status))")
    case .undecodableProduct(let status):
      LocalizedText("the response (\(status)) did not contain the product", ko: "응답(\(status))에 상품이 없음")
    case .respondedWithoutProduct: LocalizedText("the response contained no product", ko: "응답에 상품이 없음")
    case .respondedWithOther(let id?):
      LocalizedText(
        "the response contained product \(id), not the one that was sent", ko: "응답에 보낸 것과 다른 \(id)번 상품이 있음")
    case .respondedWithOther(nil):
      LocalizedText("the response contained a different product", ko: "응답에 다른 상품이 있음")
    case .otherMarket:
      LocalizedText(
        "another market responded: it was reset, or another server listens there",
        ko: "다른 마켓이 응답함: 초기화되었거나 다른 서버가 있음")
    case .marketUnreadable: LocalizedText("the market could not be read", ko: "마켓을 읽지 못함")
    case .endlessList: LocalizedText("the list does not end", ko: "목록이 끝나지 않음")
    case .checkFailed(let reason):
      LocalizedText("checking failed: \(reason.wording.english)", ko: "확인하지 못함: \(reason.wording.korean)")
    case .preflightFailed(let reason):
      LocalizedText(
        "the check before sending failed: \(reason.wording.english)",
        ko: "보내기 전에 확인하지 못함: \(reason.wording.korean)")
    case .reportedSuccess(nil): LocalizedText("the server reported success", ko: "서버는 성공으로 응답함")
    case .reportedSuccess(let seen?):
      LocalizedText(
        "the server reported success, and \(seen.wording.english)", ko: "서버는 성공으로 응답했지만 \(seen.wording.korean)")
    case .reportedSuccessUnread:
      LocalizedText(
        "the server reported success, but the product was not read back", ko: "서버는 성공으로 응답했지만 상품을 다시 읽지 않음")
    case .reportedSuccessOfMissing:
      LocalizedText(
        "the server reported success, but the product does not exist", ko: "서버는 성공으로 응답했지만 상품이 없음")
    case .stillExists(let id): LocalizedText("product \(id) still exists", ko: "\(id)번 상품이 아직 있음")
    case .noLongerExists(let id?): LocalizedText("product \(id) no longer exists", ko: "\(id)번 상품이 없어짐")
    case .noLongerExists(nil): LocalizedText("the product no longer exists", ko: "상품이 없어짐")
    case .neverExisted: LocalizedText("the product does not exist", ko: "상품이 없음")
    case .previousValue(let field):
      LocalizedText("\(field) has its previous value", ko: "\(field.title.korean): 이전 값 그대로")
    case .otherValue(let field, let now, let wanted):
      LocalizedText(
        "\(field) reads \(.foreign(now)), not \(.foreign(wanted))",
        ko: "\(field.title.korean): 요청한 값 \(.foreign(wanted)), 읽은 값 \(.foreign(now))")
    case .values(let field, let before, let wanted, let now):
      LocalizedText(
        "\(field) was \(.foreign(before ?? "-")), wanted \(.foreign(wanted ?? "-")), is \(.foreign(now ?? "-"))",
        ko:
          "\(field.title.korean): 이전 \(.foreign(before ?? "-")), 요청 \(.foreign(wanted ?? "-")), 현재 \(.foreign(now ?? "-"))"
      )
    case .difference(let field, let kind, let now): Evidence.words(for: field, kind, now: now)
    case .modified(let time):
      LocalizedText(
        "modified since, at \(.foreign(time ?? "-"))", ko: "그 뒤에 수정됨(\(.foreign(time ?? "-")))")
    case .changedSincePlan(let fields):
      LocalizedText(
        "changed since the plan was made: \(fields.map(\.rawValue).joined(separator: ", "))",
        ko: "계획을 만든 뒤에 바뀜: \(fields.map(\.title.korean.plain).joined(separator: ", "))")
    case .changesByOthers: LocalizedText("someone else is also making changes", ko: "다른 사람도 변경하고 있음")
    case .likePurchase:
      LocalizedText(
        "the stock is as the change would leave it, and a purchase leaves it so, too",
        ko: "재고가 변경한 뒤의 값과 같지만, 구매로도 그렇게 됨")
    case .mayBePassedOn:
      LocalizedText(
        "the server refused for now (429) but may have applied it, or someone else has changed the product",
        ko: "서버가 지금은 받지 않는다고 했지만(429) 적용했거나, 다른 사람이 상품을 바꿈")
    case .mayBePassedOnBefore(let entry):
      LocalizedText(
        "the server refused for now (429) but may have applied it, and log entry \(entry) has changed the same field since",
        ko: "서버가 지금은 받지 않는다고 했지만(429) 적용했을 수 있고, 그 뒤에 로그 \(entry)번이 같은 필드를 바꿈")
    case .mayBeMadeElsewhere:
      LocalizedText(
        "products have changed since, so somebody else or another copy of this home folder may have made the change",
        ko: "그 뒤에 상품이 바뀌어, 다른 사람이나 이 홈 폴더의 다른 사본이 이미 변경했을 수 있음")
    case .candidates(let ids):
      LocalizedText(
        "could be \(ids.map { String($0) }.joined(separator: ", "))",
        ko: "해당할 수 있는 상품: \(ids.map { String($0) }.joined(separator: ", "))")
    case .notFound(let sent?, let until):
      LocalizedText(
        "sent completely at \(.foreign(sent)), not found as of \(.foreign(until))",
        ko: "\(.foreign(sent))에 전송을 마쳤고 \(.foreign(until))까지 보이지 않음")
    case .notFound(nil, let until):
      LocalizedText("not found as of \(.foreign(until))", ko: "\(.foreign(until))까지 보이지 않음")
    case .createdBefore(let entry, let product):
      LocalizedText(
        "created before by log entry \(entry): product \(product)", ko: "로그 \(entry)번이 이미 등록함: \(product)번 상품")
    case .otherProduct(let name):
      LocalizedText(
        "another product has the number: \(.foreign(name ?? "-"))", ko: "같은 번호의 다른 상품: \(.foreign(name ?? "-"))")
    case .checkedApplied: LocalizedText("checked: the market shows it", ko: "확인 결과 마켓에 반영되어 있음")
    case .inconclusive:
      LocalizedText("no response, and reading is inconclusive", ko: "응답이 없고, 읽어서도 확인할 수 없음")
    case .blocked(let entry): LocalizedText("blocked by log entry \(entry)", ko: "로그 \(entry)번 때문에 보내지 않음")
    case .leftOpen: LocalizedText("abandoned", ko: "기다리지 않고 끝냄")
    case .programEnded: LocalizedText("outcome unknown: the program ended", ko: "결과 미확인: 프로그램이 끝남")
    case .programEndedBeforeResponse:
      LocalizedText("openmarket exited before a response arrived", ko: "응답이 오기 전에 openmarket이 끝남")
    case .programEndedWhileSending:
      LocalizedText(
        "openmarket exited before the whole request was sent", ko: "요청을 다 보내기 전에 openmarket이 끝남")
    case .resendApproved: LocalizedText("will be sent again (your decision)", ko: "다시 보낼 예정(직접 결정함)")
    case .decidedByHand: LocalizedText("decided by hand", ko: "직접 결정함")
    case .replaced: LocalizedText("another change replaced it", ko: "다른 변경이 대신함")
    case .replacedByUndo: LocalizedText("another undo took its place", ko: "다른 되돌리기가 대신함")
    case .runGivenUp: LocalizedText("its run was given up", ko: "그 실행을 그만둠")
    case .madeByOtherRun: LocalizedText("another run makes it", ko: "다른 실행이 처리함")
    case .superseded: LocalizedText("a later change states the same fields", ko: "뒤의 변경이 같은 필드의 값을 정함")
    case .plannedAgain: LocalizedText("it was planned again", ko: "다시 계획됨")
    case .marketReset: LocalizedText("its market was reset", ko: "마켓이 초기화됨")
    case .saleIsOver: LocalizedText("its sale doesn't want it any more", ko: "할인에 더 이상 필요하지 않음")
    case .notRecorded: LocalizedText("it could not be recorded that it is sent", ko: "보낸다는 것을 로그에 저장하지 못함")
    case .rawRequest(let summary?, let reason?):
      LocalizedText(
        "\(.foreign(summary)): \(reason.wording.english)", ko: "\(.foreign(summary)): \(reason.wording.korean)")
    case .rawRequest(let summary?, nil): LocalizedText(same: "\(.foreign(summary))")
    case .rawRequest(nil, _): LocalizedText("a raw request", ko: "raw 요청")
    case .picturesMissing: LocalizedText("its images are no longer available", ko: "사진이 더 이상 없음")
    case .text(let text): LocalizedText(same: "\(.foreign(text))")
    case .all(let parts):
      parts.dropFirst().reduce(parts.first?.wording ?? LocalizedText(same: "")) { whole, next in
        LocalizedText(
          "\(whole.english); \(next.wording.english)", ko: "\(whole.korean); \(next.wording.korean)")
      }
    }
  }

  private static func words(for field: ProductField, _ kind: FieldDifference.Kind, now: String?) -> LocalizedText {
    let (value, name) = (now ?? "-", field.title.korean)
    return switch kind {
    case .stored: LocalizedText("\(field) saved as \(.foreign(value))", ko: "\(name): 서버가 저장한 값 \(.foreign(value))")
    case .changed:
      LocalizedText("\(field) changed since then to \(.foreign(value))", ko: "\(name): 그 뒤에 바뀐 값 \(.foreign(value))")
    case .concurrent:
      LocalizedText("\(field) meanwhile read as \(.foreign(value))", ko: "\(name): 그사이 읽은 값 \(.foreign(value))")
    case .unconfirmed:
      LocalizedText(
        "\(field) is \(.foreign(value)) now; whether this change set it is not known",
        ko: "\(name): 현재 \(.foreign(value)), 이 변경으로 바뀐 것인지는 알 수 없음")
    case .left:
      LocalizedText(
        "\(field) not applied, still \(.foreign(value))", ko: "\(name): 적용되지 않음, 현재 값 \(.foreign(value))")
    case .gone: Evidence.noLongerExists(nil).wording
    }
  }
}

extension JournalFault {
  /// The description of the fault in both languages.
  package var wording: LocalizedText {
    switch self {
    case .incompletePage: LocalizedText("its last page is incomplete", ko: "마지막 페이지가 완전하지 않음")
    case .replaced:
      LocalizedText("journal.sqlite was deleted or replaced", ko: "journal.sqlite 파일이 지워지거나 바뀜")
    case .unreadable: LocalizedText("cannot be read", ko: "읽을 수 없음")
    case .cannotBeOpened: LocalizedText("cannot be opened", ko: "열 수 없음")
    case .identityModified(let id):
      LocalizedText("the new number of product \(id) was modified on disk", ko: "\(id)번 상품의 새 번호가 파일에서 바뀜")
    case .system(let text): LocalizedText(same: "\(.foreign(text))")
    }
  }
}
