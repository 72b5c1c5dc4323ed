import Catalog
import Journal
import Platform
import Presentation
import Text

extension Failure {
  package init(_ refusal: UndoRefusal) {
    let what = Message.failure("It cannot be taken back; nothing was sent.", ko: "되돌릴 수 없어 아무것도 보내지 않았습니다.")
    switch refusal {
    case .nothingToUndo: self.init(.refused, .note("There is nothing to undo.", ko: "되돌릴 것이 없습니다."))
    case .nothingToRedo: self.init(.refused, .note("There is nothing to redo.", ko: "다시 적용할 것이 없습니다."))
    case .noSuchEntry(let n): self.init(.refused, what.because("The log has no entry \(n).", ko: "기록에 \(n)번 항목이 없습니다."))
    case .noSuchBatch(let n):
      self.init(.refused, what.because("The log has no batch \(n).", ko: "기록에 \(n)번 일괄 작업이 없습니다."))
    case .notDone(let n, let result):
      self.init(
        .refused, what.because("Entry \(n) ended as \(result.rawValue).", ko: "기록 \(n)번의 결과가 \(result.rawValue)입니다."))
    case .alreadyUndone(let n, let by):
      self.init(.refused, what.because("Entry \(n) was taken back by entry \(by).", ko: "기록 \(n)번은 \(by)번이 이미 되돌렸습니다."))
    case .unsettled(let n):
      self.init(
        .unknown,
        what.because(
          "The outcome of entry \(n), which is newer, is not known yet.", ko: "더 나중인 기록 \(n)번의 결과를 아직 모릅니다."
        ).next(
          "\(.command("resume")) finds out; \(.command("undo N")) takes back a certain entry.",
          ko: "\(.command("resume"))으로 확인합니다. \(.command("undo N"))은 특정 기록을 되돌립니다."))
    case .undoing(let n, let by):
      self.init(
        .unknown,
        what.because(
          "Entry \(by) is taking entry \(n) back, and how that ended is not known yet.",
          ko: "기록 \(by)번이 \(n)번을 되돌리는 중이며, 결과를 아직 모릅니다."
        ).next("\(.command("resume")) finds out.", ko: "\(.command("resume"))으로 확인합니다."))
    case .altered(let n):
      self.init(
        .heldBack,
        what.because(
          "The record of entry \(n) was altered on disk since it was written.", ko: "기록 \(n)번이 저장된 뒤 디스크에서 바뀌었습니다."))
    case .raw(let n):
      self.init(.refused, what.because("Entry \(n) was a raw request.", ko: "기록 \(n)번은 raw 요청입니다."))
    case .otherTarget(let n, let profile):
      self.init(
        .heldBack,
        what.because("Entry \(n) belongs to profile \(.value(profile)).", ko: "기록 \(n)번은 \(.value(profile)) 프로필의 것입니다.")
          .next(
            "\(.command("profile \(profile)")) goes there.", ko: "\(.command("profile \(profile)"), .toward) 전환하세요."))
    case .moved(_, let obstacles):
      self.init(.heldBack, obstacles.reduce(what) { $0.because($1.wording) })
    case .gone(_, let id):
      self.init(.refused, what.because("Product \(id) is no longer there.", ko: "\(id)번 상품이 더 이상 없습니다."))
    case .changed(_, let id, let changes):
      let message = changes.reduce(
        what.because(
          "Product \(id) was changed by someone else since it was created.", ko: "\(id)번 상품은 등록한 뒤 다른 사람이 바꿨습니다.")
      ) { $0.because($1.change) }
      self.init(
        .heldBack,
        message.next(
          "\(.command("changed")) at the end of the line deletes it all the same.",
          ko: "줄 끝에 \(.command("changed"))를 붙이면 그래도 삭제합니다."))
    case .incomplete(_, let fields):
      let names = fields.map(\.rawValue).joined(separator: ", ")
      self.init(
        .refused,
        what.because("Its \(.field(names)) is not known any more.", ko: "\(.field(names), .object) 더 이상 알 수 없습니다."))
    case .journal(let failure): self.init(.heldBack, what.because(failure.wording))
    case .unreadable(let evidence):
      self.init(
        .unreachable,
        what.because("The market could not be read: \(.foreign(evidence))", ko: "서버를 읽지 못했습니다: \(.foreign(evidence))"))
    }
  }
}

extension UndoRefusal {
  /// The warning for a write of a batch that isn't undone while the others are.
  package var remark: Message {
    let failure = Failure(self).message
    var remark = Message.warning("One write of the batch stays as it is.", ko: "일괄 작업 중 하나는 그대로 둡니다.")
    for reason in failure.reasons { remark = remark.because(reason) }
    return remark
  }
}

extension UndoConflict {
  /// The field that isn't undone, and the value that conflicts with undoing it.
  package var wording: LocalizedText {
    if field == .images {
      return LocalizedText(
        "The pictures of product \(product) stay: others have taken their place since.",
        ko: "\(product)번 상품의 사진은 그대로 둡니다. 그 뒤에 다른 사진으로 바뀌었습니다.")
    }
    let isAsWritten = now == ours
    let now = now?.description ?? "-"
    let ours = ours?.description ?? "-"
    guard let laterEntry else {
      if isAsWritten {
        return LocalizedText(
          "\(.field(field)) of product \(product) stays: someone else wrote it at about the same time as entry \(entry), so that the value before is not known.",
          ko: "\(product)번 상품의 \(.field(field), .topic) 그대로 둡니다: 기록 \(entry)번과 비슷한 때에 다른 사람도 바꾸어 이전 값을 알 수 없습니다.")
      }
      return LocalizedText(
        "\(.field(field)) of product \(product) stays: someone else made it \(.value(now)), we had written \(.value(ours)).",
        ko: "\(product)번 상품의 \(.field(field), .topic) 그대로 둡니다: 이 셸이 바꾼 값 \(.value(ours)), 다른 사람이 바꾼 값 \(.value(now)).")
    }
    return LocalizedText(
      "\(.field(field)) of product \(product) stays: entry \(laterEntry) made it \(.value(now)).",
      ko: "\(product)번 상품의 \(.field(field), .topic) 그대로 둡니다: 기록 \(laterEntry)번이 \(.value(now), .toward) 바꿨습니다.")
  }
}

extension UndoConflict {
  /// The field of a created product that somebody else changed, with its values then and now.
  fileprivate var change: LocalizedText {
    let (ours, now) = (ours?.description ?? "-", now?.description ?? "-")
    return LocalizedText(
      "\(.field(field)): \(.value(ours)) when it was created, \(.value(now)) now",
      ko: "\(.field(field)): 등록 당시 \(.value(ours)), 지금 \(.value(now))")
  }
}

extension UndoLoss {
  /// The description of what an undo can't restore.
  package var wording: LocalizedText {
    switch self {
    case .identity(let id):
      LocalizedText(
        "Product \(id) comes back under a new id, with new picture addresses and dates.",
        ko: "\(id)번 상품은 새 번호와 새 사진 주소, 새 날짜로 돌아옵니다.")
    case .pictures(let id, let addresses):
      LocalizedText(
        "\(addresses.count) pictures of product \(id) do not come back.",
        ko: "\(id)번 상품의 사진 \(addresses.count)장은 돌아오지 않습니다.")
    case .laterChanges(let id, let fields):
      LocalizedText(
        "Product \(id) was changed since it was made: \(fields.map(\.rawValue).joined(separator: ", ")).",
        ko: "\(id)번 상품은 등록한 뒤에 변경되었습니다: \(fields.map(\.rawValue).joined(separator: ", ")).")
    }
  }
}

extension JournalFailure {
  /// The reason why a write that had been sent couldn't be recorded.
  package var cause: LocalizedText {
    switch self {
    case .unwritable(let path, let reason):
      LocalizedText(
        "It could not be written into the journal \(.value(path)): \(.foreign(reason)).",
        ko: "기록 \(.value(path))에 쓰지 못했습니다: \(.foreign(reason)).")
    case .diskFull:
      LocalizedText(
        "It could not be written into the journal: the disk is full.", ko: "디스크가 가득 차 결과를 기록에 저장하지 못했습니다.")
    case .busy:
      LocalizedText(
        "It could not be written into the journal: another program keeps it locked.",
        ko: "다른 프로그램이 기록을 잠그고 있어 결과를 저장하지 못했습니다.")
    case .damaged(let reason), .poisoned(let reason):
      LocalizedText(
        "It could not be written into the journal: \(.foreign(reason)).", ko: "결과를 기록에 저장하지 못했습니다: \(.foreign(reason))."
      )
    case .missing(let path):
      LocalizedText(
        "It could not be written into the journal: \(.value(path)) was deleted or replaced.",
        ko: "\(.value(path), .subject) 지워지거나 바뀌어 결과를 기록에 저장하지 못했습니다.")
    case .quota, .takenOver, .takenBack, .tooOpen, .notOurs, .newer, .absent, .foreign:
      LocalizedText("It could not be written into the journal.", ko: "결과를 기록에 저장하지 못했습니다.")
    }
  }

  /// The reason why nothing was sent: every write is recorded in the journal first.
  package var wording: LocalizedText {
    switch self {
    case .unwritable(let path, let reason):
      LocalizedText(
        "Nothing was sent: the journal \(.value(path)) cannot be written (\(reason)).",
        ko: "아무것도 보내지 않았습니다: 기록 \(.value(path))에 쓸 수 없습니다(\(reason)).")
    case .diskFull:
      LocalizedText(
        "Nothing was sent: the journal cannot be written, the disk is full.",
        ko: "아무것도 보내지 않았습니다: 디스크가 가득 차 기록을 저장할 수 없습니다.")
    case .quota(let bytes):
      LocalizedText(
        "Nothing was sent: pictures of writes that are not finished fill the \(bytes >> 20) MB the journal has for them; \(.command("resume")) goes on with those.",
        ko:
          "아무것도 보내지 않았습니다: 끝나지 않은 변경의 사진이 기록의 \(bytes >> 20)MB를 다 채웠습니다. \(.command("resume"))으로 마저 처리하세요.")
    case .takenOver(let n):
      LocalizedText(
        "Nothing was sent: another shell has given up write \(n) or goes on with it.",
        ko: "아무것도 보내지 않았습니다: 다른 셸이 변경 \(n)번을 포기했거나 처리하고 있습니다.")
    case .takenBack(let n, let by):
      LocalizedText(
        "Nothing was sent: entry \(n) is taken back by entry \(by) already.",
        ko: "아무것도 보내지 않았습니다: 기록 \(n)번은 \(by)번이 이미 되돌립니다.")
    case .tooOpen(let path, let mode):
      LocalizedText(
        "Nothing was sent: others can read the journal \(.value(path)) (0\(String(mode, radix: 8))).",
        ko: "아무것도 보내지 않았습니다: 다른 사용자가 기록 \(.value(path), .object) 읽을 수 있습니다(0\(String(mode, radix: 8))).")
    case .notOurs(let path):
      LocalizedText(
        "Nothing was sent: \(.value(path)) is not a file of yours.",
        ko: "아무것도 보내지 않았습니다: \(.value(path), .topic) 본인의 파일이 아닙니다.")
    case .newer(let version):
      LocalizedText(
        "Nothing was sent: the journal was written by a newer program (version \(version)).",
        ko: "아무것도 보내지 않았습니다: 더 새로운 프로그램의 기록입니다(버전 \(version)).")
    case .damaged(let evidence):
      LocalizedText(
        "Nothing was sent: the journal is damaged: \(.foreign(evidence))",
        ko: "아무것도 보내지 않았습니다: 기록이 손상되었습니다: \(.foreign(evidence))")
    case .poisoned(let evidence):
      LocalizedText(
        "Nothing was sent: an earlier entry could not be written (\(.foreign(evidence))); start again.",
        ko: "아무것도 보내지 않았습니다: 앞의 기록을 저장하지 못했습니다(\(.foreign(evidence))). 다시 시작하세요.")
    case .busy:
      LocalizedText("Nothing was sent: another shell keeps the journal busy.", ko: "아무것도 보내지 않았습니다: 다른 셸이 기록을 쓰고 있습니다.")
    case .missing(let path):
      LocalizedText(
        "Nothing was sent: the journal \(.value(path)) is missing, so what was written before cannot be undone or resumed. Bring it back from a backup, or move its folder away to begin a new one.",
        ko:
          "아무것도 보내지 않았습니다: 기록 \(.value(path), .subject) 없어 이전 변경을 되돌리거나 재개할 수 없습니다. 백업에서 되살리거나, 폴더를 옮기면 새로 시작합니다.")
    case .foreign(let path):
      LocalizedText(
        "Nothing was sent: \(.value(path)) belongs to another program. Move it away to begin a journal there.",
        ko: "아무것도 보내지 않았습니다: \(.value(path), .topic) 다른 프로그램의 파일입니다. 옮겨 두면 새 기록을 시작합니다.")
    case .absent: LocalizedText("Nothing was sent: there is no journal.", ko: "아무것도 보내지 않았습니다: 기록이 없습니다.")
    }
  }
}
