import Catalog
import CommandLanguage
import FileFormats
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The changes to be made from an imported file.
struct ImportPlan {
  var verdicts: [RevalidatedChange]
  /// The notes to show before the question.
  var notes: [Message]
  /// The origins of the changes that are to be applied.
  var origins: [WriteOrigin]
  /// The file with its text, which a workbook hasn't.
  var file: (path: String, bytes: Data, text: DecodedText?)
  /// The export that the file comes from, or `nil` if it wasn't exported from this home.
  var origin: ExportOrigin?
  /// The values in the file for each product that it changes.
  var cells: [Product.ID: [(ProductField, String)]]

  /// The plan, with the positions of the products that would not change.
  var plan: Plan {
    var plan = Plan([])
    for verdict in verdicts {
      if let change = verdict.change {
        plan.changes.append(change)
      } else if case .unchanged(let product, let earlier) = verdict.outcome {
        plan.earlier[plan.count] = earlier
        plan.unchanged[plan.count] = product
      }
    }
    return plan
  }

  static func isJSONLines(_ text: String, named file: String) -> Bool {
    let kind = OutputFormat(ending: file)
    let beginsAsObject = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" } == "{"
    return kind == .jsonl || kind == .json || (kind != .csv && beginsAsObject)
  }

  /// Returns the ids of the products that belong to rows without an id, by line number.
  func ids(_ outcomes: [Outcome]) -> [Int: Product.ID] {
    var ids: [Int: Product.ID] = [:]
    var rest = outcomes[...]
    for verdict in verdicts {
      let outcome = verdict.change == nil ? verdict.outcome : rest.popFirst() ?? .notStarted
      guard let line = verdict.line, outcome.isSuccess else { continue }
      ids[line] = outcome.product?.id
    }
    return ids
  }

  /// Writes the ids into the file, unless the file has changed since it was read.
  ///
  /// - Throws: `FileError` if it can't be written.
  func write(_ ids: [Int: Product.ID], named name: String, _ session: Session, _ context: CommandContext) throws {
    guard let source = file.text else { return }
    let isSame = (try? StableFileReader.data(file.path, limit: file.bytes.count)) == file.bytes
    let names = session.server.fieldNames
    let text: String?
    if ImportPlan.isJSONLines(source.text, named: name) {
      text = ImportedIDs(ids, names: names).inserted(intoJSONLines: source.text)
    } else {
      text = try? ImportedIDs(ids, names: names).inserted(intoCSV: source.text)
    }
    guard isSame, source.encoding == .utf8, let text else {
      let reason =
        isSame
        ? LocalizedText("It is not UTF-8.", ko: "UTF-8 파일이 아닙니다.")
        : LocalizedText("It changed in the meantime.", ko: "그사이 파일이 바뀌었습니다.")
      return context.say(
        .warning(
          "The new IDs were not saved to \(.value(name)).", ko: "새 상품 번호를 \(.value(name))에 저장하지 못했습니다."
        ).because(reason), session)
    }
    let mark = file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : [UInt8]()
    try Files.write(Data(mark + Array(text.utf8)), to: file.path)
    let count = ids.count
    context.say(
      .success(
        "Saved \(count) \(count == 1 ? StyledText("ID") : "IDs") to \(.value(name)).",
        ko: "새 상품 번호 \(count)개를 \(.value(name))에 저장했습니다."), session)
  }

  /// Stores the written values as the new merge base.
  ///
  /// Values that an interrupted import of the file wrote are among them: the market has them already. If it fails, the
  /// next import treats the same cells as changed and asks an unnecessary question.
  func remember(_ outcomes: [Outcome]) {
    guard let origin else { return }
    let source = WrittenFiles.absolute(file.path)
    var lines = ""
    var rest = outcomes[...]
    for verdict in verdicts {
      let isWritten = verdict.change != nil
      let outcome = isWritten ? rest.popFirst() ?? .notStarted : verdict.outcome
      guard outcome.isSuccess, case .edit(let product, _, let to) = verdict.change ?? verdict.planned,
        let cells = cells[product.id]
      else { continue }
      let agreed = cells.filter { field, text in
        if isWritten, to.assignedFields.contains(field) { return true }
        if isWritten, field == .sale, to.price != nil || to.discount != nil { return true }
        return !isWritten && product.text(of: field).map { ThreeWayMerge.isSame($0, text, field) } ?? false
      }
      if !agreed.isEmpty { lines += ExportBaseline.line(imported: agreed, of: product.id, from: source) }
    }
    try? ExportBaselineWriter.add(lines, to: origin.path)
  }
}
