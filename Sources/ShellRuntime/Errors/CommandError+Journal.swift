import Catalog
import Platform
import Presentation
import Text
import WriteJournal

extension CommandError {
  package init(_ refusal: UndoError) {
    self.init(undoError: refusal)
    if ![.nothingToUndo, .otherProduct].contains(code) { code = .cannotUndo }
  }

  private init(undoError refusal: UndoError) {
    let what = Message.failure("Cannot undo this. Nothing was sent.", ko: "되돌릴 수 없습니다. 아무것도 보내지 않았습니다.")
    switch refusal {
    case .nothingToUndo: self.init(.refused, .note("Nothing to undo.", ko: "되돌릴 것이 없습니다."), code: .nothingToUndo)
    case .nothingToRedo: self.init(.refused, .note("Nothing to redo.", ko: "다시 적용할 것이 없습니다."), code: .nothingToUndo)
    case .noSuchEntry(let n): self.init(.refused, what.because("There is no log entry \(n).", ko: "로그 \(n)번이 없습니다."))
    case .nothingOf(let actor):
      self.init(
        .refused,
        .note("There is no change of \(.value(actor)) to undo.", ko: "\(.value(actor))의 변경 중에 되돌릴 것이 없습니다."),
        code: .nothingToUndo)
    case .noSuchBatch(let n):
      self.init(.refused, what.because("There is no batch \(n) in the log.", ko: "로그에 \(n)번 일괄 작업이 없습니다."))
    case .noSuchRun(let n):
      self.init(.refused, what.because("There is no run r\(n) in the log.", ko: "로그에 r\(n) 실행이 없습니다."))
    case .notDone(let n, let result):
      self.init(
        .refused,
        what.because("The outcome of log entry \(n) is \(result.rawValue).", ko: "로그 \(n)번의 결과가 \(result.rawValue)입니다.")
      )
    case .alreadyUndone(let n, let by):
      self.init(
        .refused, what.because("Log entry \(n) was already undone by entry \(by).", ko: "로그 \(n)번은 \(by)번이 이미 되돌렸습니다."))
    case .unsettled(let n):
      self.init(
        .outcomeUnknown,
        what.because(
          "The outcome of a newer change, log entry \(n), is unknown.", ko: "더 나중의 변경인 로그 \(n)번의 결과를 알 수 없습니다."
        ).next(
          "Run \(.command("resume")) to check it, or \(.command("undo N")) to undo a specific entry.",
          ko: "확인하려면 \(.command("resume"), .object), 한 항목을 되돌리려면 \(.command("undo N"), .object) 실행하세요."))
    case .undoing(let n, let by):
      self.init(
        .outcomeUnknown,
        what.because(
          "Log entry \(by) is undoing entry \(n), and its outcome is unknown.",
          ko: "로그 \(by)번이 \(n)번을 되돌리는 중이며, 결과를 알 수 없습니다."
        ).next("Run \(.command("resume")) to check it.", ko: "확인하려면 \(.command("resume"), .object) 실행하세요."))
    case .altered(let n):
      self.init(
        .blocked,
        what.because(
          "Log entry \(n) was modified on disk.", ko: "로그 \(n)번이 저장된 뒤 파일에서 바뀌었습니다."))
    case .raw(let n):
      self.init(.refused, what.because("Log entry \(n) is a raw request.", ko: "로그 \(n)번은 raw 요청입니다."))
    case .otherTarget(let n, let profile):
      self.init(
        .blocked,
        what.because(
          "Log entry \(n) belongs to profile \(.value(profile)).", ko: "로그 \(n)번은 \(.value(profile)) 프로필에서 한 변경입니다."
        )
        .next(
          "Run \(.command("profile \(profile)")) to switch to it.",
          ko: "\(.command("profile \(profile)"), .toward) 전환하세요."))
    case .otherMarket(let n, let profile):
      self.init(
        .blocked,
        what.because(
          "Log entry \(n) is of a market that profile \(.value(profile)) had before.",
          ko: "로그 \(n)번은 \(.value(profile)) 프로필이 전에 쓰던 마켓의 변경입니다."))
    case .remapped(let write, let file):
      self.init(
        .blocked,
        what.because(
          "The description was changed since log entry \(write.entry).",
          ko: "로그 \(write.entry)번 뒤에 설명 파일이 바뀌었습니다."
        ).because(write.wording(file)).next(
          "Use the file as it was then, or set the values with \(.command("patch")).",
          ko: "그때의 파일을 쓰거나 \(.command("patch"), .toward) 값을 정하세요."))
    case .moved(_, let obstacles):
      self.init(.blocked, obstacles.reduce(what) { $0.because($1.wording) })
    case .gone(_, let id):
      self.init(.refused, what.because("Product \(id) no longer exists.", ko: "\(id)번 상품이 더 이상 없습니다."))
    case .otherProduct(_, let mismatch):
      self.init(.blocked, what.because(mismatch.wording), code: .otherProduct)
    case .changed(_, let id, let changes):
      let message = changes.reduce(
        what.because(
          "Product \(id) has changed since it was created.", ko: "\(id)번 상품은 등록한 뒤에 바뀌었습니다.")
      ) { $0.because($1.change) }
      self.init(
        .blocked,
        message.next(
          "To delete it anyway, add \(.command("changed")) to the command.",
          ko: "그래도 삭제하려면 명령 끝에 \(.command("changed"), .object) 붙이세요."))
    case .incomplete(let n, let fields):
      let names = fields.map(\.rawValue).joined(separator: ", ")
      self.init(
        .refused,
        what.because(
          "Log entry \(n) has no earlier value of \(.field(names)).", ko: "로그 \(n)번에 \(.field(names))의 이전 값이 없습니다."))
    case .journal(let failure): self.init(failure.status, what.because(failure.wording))
    case .unreadable(let evidence, let isAnswered):
      self.init(
        isAnswered ? .refused : .unreachable,
        what.because(
          "Cannot read from the server: \(evidence.wording.english)", ko: "서버를 읽지 못했습니다: \(evidence.wording.korean)"))
    }
  }
}

extension RemappedWrite {
  /// The parts of the description in use that differ from the one with which the write was recorded.
  fileprivate func wording(_ file: String?) -> LocalizedText {
    let parts = parts.joined(separator: ", ")
    guard let file else {
      return LocalizedText(
        "It was made with \(.value(self.file)), and no file describes the market now.",
        ko: "\(.value(self.file), .toward) 한 변경인데, 지금은 설명 파일이 없습니다.")
    }
    guard file != self.file else {
      return LocalizedText(
        "\(.value(file)) describes \(.field(parts)) in another way now.",
        ko: "\(.value(file))에서 \(.field(parts), .topic) 그때와 다릅니다.")
    }
    return LocalizedText(
      "\(.value(file)) describes \(.field(parts)) in another way than \(.value(self.file)).",
      ko: "\(.value(file))에서 \(.field(parts), .topic) \(.value(self.file), .with) 다릅니다.")
  }
}

extension CommandError {
  /// The number of remapped writes that a message names.
  private static let maximumRemapped = 5

  /// Throws if pending writes mean something else with the description of the market.
  ///
  /// - Parameters:
  ///   - writes: These writes, oldest first.
  ///   - mapping: The description in use.
  /// - Throws: `CommandError` with exit status 4.
  package static func throwIfRemapped(_ writes: [RemappedWrite], in mapping: DescriptionMapping?) throws(CommandError) {
    guard let first = writes.first else { return }
    var message = Message.failure(
      "The description was changed since log entry \(first.entry). Nothing was sent.",
      ko: "로그 \(first.entry)번 뒤에 설명 파일이 바뀌었습니다. 아무것도 보내지 않았습니다."
    ).because(first.wording(mapping?.file))
    if writes.count > 1 {
      let numbers = writes.prefix(maximumRemapped).map { String($0.entry) }.joined(separator: ", ")
      let list = writes.count > maximumRemapped ? numbers + ", …" : numbers
      message = message.because(
        "\(writes.count) pending changes are concerned: log entries \(list).",
        ko: "대기 중인 변경 \(writes.count)건이 그렇습니다: 로그 \(list)번.")
    }
    let line = writes.count == 1 ? "resume forget \(first.entry)" : "resume forget"
    throw CommandError(
      .blocked,
      message.next(
        "Use the file as it was then, or run \(.command(line)) to discard \(writes.count == 1 ? StyledText("the change") : "the changes").",
        ko: "그때의 파일을 쓰세요. 변경을 버리려면 \(.command(line)), 이렇게 실행하세요."),
      code: .otherDescription)
  }
}

extension UndoError {
  /// The warning for a write of a batch that isn't undone while the others are.
  package var remark: Message {
    let failure = CommandError(self).message
    var remark = Message.warning("One change of the batch is skipped.", ko: "일괄 작업 중 하나는 그대로 둡니다.")
    for reason in failure.reasons { remark = remark.because(reason) }
    return remark
  }
}

extension UndoConflict {
  /// The field that isn't undone, and the value that conflicts with undoing it.
  package var wording: LocalizedText {
    if field == .images {
      return LocalizedText(
        "The images of product \(product) are not restored: they have been replaced since.",
        ko: "\(product)번 상품의 사진은 그대로 둡니다. 그 뒤에 다른 사진으로 바뀌었습니다.")
    }
    let isAsWritten = now == ours
    let now = now?.description ?? "-"
    let ours = ours?.description ?? "-"
    guard let laterEntry else {
      if isAsWritten {
        return LocalizedText(
          "\(.field(field)) of product \(product) is not restored: it also read as another value at the time of log entry \(entry), so the value before is not known.",
          ko: "\(product)번 상품의 \(.field(field), .topic) 그대로 둡니다: 로그 \(entry)번 무렵에 다른 값으로도 읽혀 이전 값을 알 수 없습니다.")
      }
      return LocalizedText(
        "\(.field(field)) of product \(product) is not restored: you set \(.value(ours)), and it is \(.value(now)) now.",
        ko: "\(product)번 상품의 \(.field(field), .topic) 그대로 둡니다: 내가 바꾼 값 \(.value(ours)), 현재 값 \(.value(now)).")
    }
    return LocalizedText(
      "\(.field(field)) of product \(product) is not restored: log entry \(laterEntry) changed it to \(.value(now)).",
      ko: "\(product)번 상품의 \(.field(field), .topic) 그대로 둡니다: 로그 \(laterEntry)번이 \(.value(now), .toward) 바꿨습니다.")
  }
}

extension UndoConflict {
  /// The field of a created product that another user changed, with its values then and now.
  fileprivate var change: LocalizedText {
    let (ours, now) = (ours?.description ?? "-", now?.description ?? "-")
    return LocalizedText(
      "\(.field(field)): \(.value(ours)) when created, \(.value(now)) now",
      ko: "\(.field(field)): 등록 당시 \(.value(ours)), 현재 \(.value(now))")
  }
}

extension UndoLoss {
  /// Returns a note for each loss, or one for all products with the same loss if there are more than three.
  package static func messages(_ losses: [UndoLoss]) -> [Message] {
    var recreated: [Product.ID] = []
    var withoutImages: [Product.ID] = []
    var changed: [Product.ID] = []
    for loss in losses {
      switch loss {
      case .identity(let id): recreated.append(id)
      case .pictures(let id, _): withoutImages.append(id)
      case .laterChanges(let id, _): changed.append(id)
      }
    }
    func list(_ ids: [Product.ID]) -> String {
      ids.prefix(10).map { String($0) }.joined(separator: ", ") + (ids.count > 10 ? ", …" : "")
    }
    let most = 3
    var messages = losses.filter { loss in
      switch loss {
      case .identity: recreated.count <= most
      case .pictures: withoutImages.count <= most
      case .laterChanges: changed.count <= most
      }
    }.map { Message(.note, $0.wording) }
    if recreated.count > most {
      messages.append(
        .note(
          "\(recreated.count) products will be recreated with new IDs, new image URLs and new dates: \(list(recreated))",
          ko: "상품 \(recreated.count)개는 새 번호, 새 사진 주소, 새 날짜로 다시 등록됩니다: \(list(recreated))"))
    }
    if withoutImages.count > most {
      messages.append(
        .note(
          "Images of \(withoutImages.count) products cannot be restored: \(list(withoutImages))",
          ko: "상품 \(withoutImages.count)개의 사진은 복원되지 않습니다: \(list(withoutImages))"))
    }
    if changed.count > most {
      messages.append(
        .note(
          "\(changed.count) products were changed after they were created: \(list(changed))",
          ko: "상품 \(changed.count)개는 등록한 뒤에 변경되었습니다: \(list(changed))"))
    }
    return messages
  }

  /// The description of what an undo can't restore.
  package var wording: LocalizedText {
    switch self {
    case .identity(let id):
      LocalizedText(
        "Product \(id) will be recreated with a new ID, new image URLs and new dates.",
        ko: "\(id)번 상품은 새 번호, 새 사진 주소, 새 날짜로 다시 등록됩니다.")
    case .pictures(let id, let addresses):
      LocalizedText(
        "\(addresses.count) \(addresses.count == 1 ? StyledText("image") : "images") of product \(id) cannot be restored.",
        ko: "\(id)번 상품의 사진 \(addresses.count)장은 복원되지 않습니다.")
    case .laterChanges(let id, let fields):
      LocalizedText(
        "Product \(id) was changed after it was created: \(fields.map(\.rawValue).joined(separator: ", ")).",
        ko: "\(id)번 상품은 등록한 뒤에 변경되었습니다: \(fields.map(\.rawValue).joined(separator: ", ")).")
    }
  }
}

extension JournalError {
  /// The exit status of a line that sends nothing because of the error.
  ///
  /// It is 5 for a log that can't be read: it isn't known then which earlier changes took effect.
  package var status: ExitStatus {
    switch self {
    case .damaged, .missing, .foreign: .outcomeUnknown
    case .unwritable, .diskFull, .locked, .poisoned, .quota, .claimedByOtherShell, .interruptedRun, .sameKey,
      .alreadyUndone, .insecurePermissions, .wrongOwner, .newerSchema, .notOpen:
      .blocked
    }
  }

  /// The reason why a write that had been sent couldn't be recorded.
  package var cause: LocalizedText {
    switch self {
    case .unwritable(let path, let reason):
      LocalizedText(
        "Cannot write to the log \(.value(path)): \(reason.wording.english).",
        ko: "로그 \(.value(path))에 쓸 수 없습니다: \(reason.wording.korean).")
    case .diskFull:
      LocalizedText(
        "Cannot write to the log: the disk is full.", ko: "디스크가 가득 차 로그에 저장하지 못했습니다.")
    case .locked:
      LocalizedText(
        "Cannot write to the log: it is locked by another program.",
        ko: "다른 프로그램이 로그를 잠그고 있어 저장하지 못했습니다.")
    case .damaged(let reason), .poisoned(let reason):
      LocalizedText(
        "Cannot write to the log: \(reason.wording.english).", ko: "로그에 저장하지 못했습니다: \(reason.wording.korean)."
      )
    case .missing(let path):
      LocalizedText(
        "Cannot write to the log: \(.value(path)) was deleted or replaced.",
        ko: "\(.value(path), .subject) 지워지거나 바뀌어 로그에 저장하지 못했습니다.")
    case .quota, .claimedByOtherShell, .interruptedRun, .sameKey, .alreadyUndone, .insecurePermissions, .wrongOwner,
      .newerSchema, .notOpen, .foreign:
      LocalizedText("Cannot write to the log.", ko: "로그에 저장하지 못했습니다.")
    }
  }

  /// The reason why nothing was sent: every write is recorded in the journal first.
  package var wording: LocalizedText {
    switch self {
    case .unwritable(let path, let reason):
      LocalizedText(
        "Cannot write to the log \(.value(path)): \(reason.wording.english). Nothing was sent.",
        ko: "로그 \(.value(path))에 쓸 수 없습니다: \(reason.wording.korean). 아무것도 보내지 않았습니다.")
    case .diskFull:
      LocalizedText(
        "Cannot write to the log: the disk is full. Nothing was sent.",
        ko: "디스크가 가득 차 로그에 저장하지 못했습니다. 아무것도 보내지 않았습니다.")
    case .quota(let bytes):
      LocalizedText(
        "The \(bytes >> 20) MB reserved for images of pending changes are full. Run \(.command("resume")) to finish those. Nothing was sent.",
        ko:
          "대기 중인 변경의 사진이 \(bytes >> 20)MB를 다 채웠습니다. \(.command("resume"), .toward) 먼저 처리하세요. 아무것도 보내지 않았습니다.")
    case .claimedByOtherShell(let n):
      LocalizedText(
        "Change \(n) was discarded or is being processed by another openmarket session. Nothing was sent.",
        ko: "변경 \(n)번은 다른 openmarket에서 버렸거나 처리하고 있습니다. 아무것도 보내지 않았습니다.")
    case .interruptedRun(let n, let isOpen):
      isOpen
        ? LocalizedText(
          "r\(n), which is still running, makes the same change. Nothing was sent.",
          ko: "실행 중인 r\(n), 같은 변경을 하고 있습니다. 아무것도 보내지 않았습니다.")
        : LocalizedText(
          "r\(n), which was interrupted, made the same change or may still make it. Nothing was sent.",
          ko: "중단된 r\(n)에서 같은 변경을 했거나 할 수 있습니다. 아무것도 보내지 않았습니다.")
    case .sameKey(let n):
      LocalizedText(
        "r\(n), which has the same key, was begun in the meantime. Nothing was sent.",
        ko: "그 사이에 같은 키의 r\(n) 실행이 시작되었습니다. 아무것도 보내지 않았습니다.")
    case .alreadyUndone(let n, let by):
      LocalizedText(
        "Log entry \(n) was already undone by entry \(by). Nothing was sent.",
        ko: "로그 \(n)번은 이미 \(by)번이 되돌렸습니다. 아무것도 보내지 않았습니다.")
    case .insecurePermissions(let path, let mode):
      LocalizedText(
        "The log \(.value(path)) can be read by other users (0\(String(mode, radix: 8))). Nothing was sent.",
        ko: "다른 사용자가 로그 \(.value(path), .object) 읽을 수 있습니다(0\(String(mode, radix: 8))). 아무것도 보내지 않았습니다.")
    case .wrongOwner(let path):
      LocalizedText(
        "\(.value(path)) does not belong to you. Nothing was sent.",
        ko: "\(.value(path), .topic) 현재 사용자의 파일이 아닙니다. 아무것도 보내지 않았습니다.")
    case .newerSchema(let version):
      LocalizedText(
        "The log was written by a newer version of openmarket (format \(version)). Nothing was sent.",
        ko: "더 새로운 버전의 openmarket이 만든 로그입니다(형식 \(version)). 아무것도 보내지 않았습니다.")
    case .damaged(let evidence):
      LocalizedText(
        "The log is damaged (\(evidence.wording.english)). Nothing was sent.",
        ko: "로그가 손상되었습니다(\(evidence.wording.korean)). 아무것도 보내지 않았습니다.")
    case .poisoned(let evidence):
      LocalizedText(
        "An earlier log entry could not be written (\(evidence.wording.english)). Restart openmarket. Nothing was sent.",
        ko: "이전 로그를 저장하지 못했습니다(\(evidence.wording.korean)). openmarket을 다시 시작하세요. 아무것도 보내지 않았습니다.")
    case .locked:
      LocalizedText(
        "The log is in use by another openmarket session. Nothing was sent.",
        ko: "다른 openmarket이 로그를 사용하고 있습니다. 아무것도 보내지 않았습니다."
      )
    case .missing(let path):
      LocalizedText(
        "The log \(.value(path)) is missing, so earlier changes cannot be undone or resumed. Restore it from a backup, or move its directory away to start a new one. Nothing was sent.",
        ko:
          "로그 \(.value(path), .subject) 없어 이전 변경을 되돌리거나 재개할 수 없습니다. 백업에서 복원하거나, 폴더를 옮겨 새로 시작하세요. 아무것도 보내지 않았습니다.")
    case .foreign(let path):
      LocalizedText(
        "\(.value(path)) belongs to another program. Move it away to create a new log. Nothing was sent.",
        ko: "\(.value(path), .topic) 다른 프로그램의 파일입니다. 옮겨 두면 새 로그를 만듭니다. 아무것도 보내지 않았습니다.")
    case .notOpen: LocalizedText("There is no log. Nothing was sent.", ko: "로그가 없습니다. 아무것도 보내지 않았습니다.")
    }
  }
}
