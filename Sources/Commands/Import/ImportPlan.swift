import Catalog
import CommandLanguage
import Foundation
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The changes to be made from an imported file.
struct ImportPlan {
  /// The rows of the file that are to be changed, that have their values already, or that are in conflict.
  var plan: Plan
  /// The notes to show before the question.
  var notes: [Message]
  /// The file with its text, which a workbook and a JSON document haven't, because no ids are inserted into them.
  var file: (path: String, bytes: Data, text: DecodedText?)
  /// The recipe that the file was read with, and its rows, or `nil` for a file with headings of the program.
  var supplier: SupplierImport?
  /// The exports that the file may come from, or `nil` if it is compared with the market alone.
  var bases: ImportBases?
  /// The products with a cell that differs from the export without being an edit; they aren't reported as up to date.
  var leftAlone: Set<Product.ID>
  /// The values in the file for each product that it changes.
  var cells: [Product.ID: Reconciliation.Values]

  /// Returns the ids of the products that belong to rows without an id, by line number.
  var ids: [Int: Product.ID] {
    var ids: [Int: Product.ID] = [:]
    for row in plan.rows {
      guard case .line(let line)? = row.place, let outcome = row.outcome, outcome.isSuccess else { continue }
      ids[line] = outcome.product?.id
    }
    return ids
  }

  /// Writes the ids into the file, unless the file has changed since it was read.
  ///
  /// - Throws: `FileError` if it can't be written.
  func write(_ ids: [Int: Product.ID], named name: String, _ scope: CommandScope) throws {
    guard let source = file.text else { return }
    let isSame = (try? StableFileReader.data(file.path, limit: file.bytes.count)) == file.bytes
    let text = ImportForm(of: source.text, named: name).text(
      source.text, inserting: ImportedIDs(ids, names: scope.session.server.fieldNames))
    guard isSame, source.encoding == .utf8, let text else {
      let reason =
        isSame
        ? LocalizedText("It is not UTF-8.", ko: "UTF-8 파일이 아닙니다.")
        : LocalizedText("It changed in the meantime.", ko: "그사이 파일이 바뀌었습니다.")
      return scope.say(
        .warning(
          "The new IDs were not saved to \(.value(name)).", ko: "새 상품 번호를 \(.value(name))에 저장하지 못했습니다."
        ).because(reason))
    }
    let mark = file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : [UInt8]()
    try Files.write(Data(mark + Array(text.utf8)), to: file.path)
    let count = ids.count
    scope.say(
      .success(
        "Saved \(count) \(count == 1 ? StyledText("ID") : "IDs") to \(.value(name)).",
        ko: "새 상품 번호 \(count)개를 \(.value(name))에 저장했습니다."))
  }

  /// Gives up the pending edits of earlier lines in fields that the file states and that the products show.
  ///
  /// - Throws: `JournalError` if it can't be recorded.
  func supersede(_ binding: MarketLogin, in scope: CommandScope) throws {
    guard scope.mode == .write, Journal.exists(in: scope.context.stores.home.journalFolder) else { return }
    let journal = try scope.context.stores.journal()
    for row in plan.rows where row.earlierWrite == nil {
      guard let product = row.unchangedProduct, !leftAlone.contains(product.id),
        let fields = cells[product.id].map({ cells in ExportBaseline.fields.filter { cells[$0] != nil } }),
        !fields.isEmpty
      else { continue }
      try journal.supersede(fields, of: product.id, binding)
    }
  }

  /// Stores the written values as the new merge base.
  ///
  /// Values that an interrupted import of the file wrote are among them: the market has them already.
  ///
  /// - Returns: A warning if it fails: the next import then takes the cells for edits.
  func remember() -> Message? {
    guard let bases else { return nil }
    let source = WrittenFiles.absolute(file.path)
    var lines = ""
    for row in plan.rows {
      let isWritten = row.change != nil
      guard !isWritten || row.outcome?.isSuccess == true,
        case .edit(let product, _, let to) = row.change ?? row.planned,
        let cells = cells[product.id]
      else { continue }
      let agreed = cells.filter { field, value in
        guard isWritten else { return product.comparable(field) == value }
        return to[field] != nil || field == .sale && (to.price != nil || to.discount != nil)
      }
      if !agreed.isEmpty { lines += ExportBaseline.line(imported: agreed, of: product.id, from: source) }
    }
    do {
      try bases.record(lines)
      return nil
    } catch {
      return Message.warning(
        "What was imported could not be recorded. The next import of the file takes these cells for edits.",
        ko: "가져온 값을 기록하지 못했습니다. 다음에 이 파일을 가져오면 같은 칸을 고친 것으로 봅니다."
      ).because(CommandError(describing: error).message.what)
    }
  }
}

extension ImportBases {
  /// Checks that the file isn't an export of another market, where its numbers name other products.
  ///
  /// A file is such an export if the last export to its path was from another market. It may be a copy of one if its columns
  /// and products are those of exports of other markets alone; with `whole`, its numbers count as those of this market.
  ///
  /// - Throws: `CommandError` with exit status 4 that names both markets.
  static func checkMarket(
    of file: String, table: ImportTable, market: MarketIdentity, isWhole: Bool, named name: String,
    in scope: CommandScope
  ) throws {
    let ids = table.rows.compactMap(\.id)
    guard !ids.isEmpty else { return }
    let digest = ProductIDDigest(ids)
    let known = WrittenFiles(scope.context.stores.home).exports
    let own = known.first { $0.path == file }
    let isCopy = { (record: WrittenFiles.Record) in
      record.export?.products == digest && hasColumns(table, of: record)
    }
    let meant = known.filter { $0.path == file || isCopy($0) }
    let isOfHere = { (record: WrittenFiles.Record) in record.export.map { market.isSame(as: $0.market) } ?? false }
    guard let other = own ?? meant.first, own.map(isOfHere) != true, !meant.contains(where: isOfHere),
      own != nil || !isWhole, let record = other.export?.market, let mismatch = market.mismatch(with: record)
    else { return }
    let (place, korean): (StyledText, StyledText) =
      mismatch == .otherAddress ? ("address", "주소") : ("market", "마켓")
    var message: Message
    if own == nil {
      message = Message.failure(
        "\(.value(name)) may be a copy of an export from another \(place). Nothing was sent.",
        ko: "\(.value(name), .topic) 다른 \(korean)에서 내보낸 파일의 사본일 수 있습니다. 아무것도 보내지 않았습니다."
      ).because(
        "It has the columns and product numbers of the export to \(.value(other.path)).",
        ko: "\(.value(other.path))에 내보낸 것과 열과 상품 번호가 같습니다.")
    } else if isCopy(other) {
      message = .failure(
        "\(.value(name)) was exported from another \(place). Nothing was sent.",
        ko: "\(.value(name), .topic) 다른 \(korean)에서 내보낸 파일입니다. 아무것도 보내지 않았습니다.")
    } else {
      message = .failure(
        "The last export to \(.value(name)) was from another \(place). Nothing was sent.",
        ko: "\(.value(name))에 마지막으로 내보낸 것은 다른 \(korean)의 상품입니다. 아무것도 보내지 않았습니다.")
    }
    message = message.because(mismatch, of: record, at: market, profile: scope.session.server.profile?.value)
    if own == nil {
      message = message.next(
        "If its numbers are of this market, add \(.command("whole")).",
        ko: "이 마켓의 상품 번호라면 \(.command("whole"), .object) 붙이세요.")
    }
    throw CommandError(
      .blocked,
      message.next(
        mismatch.isElsewhere
          ? LocalizedText(
            "Switch to the profile of that market, or save the rows without the column id to create new products.",
            ko: "그 마켓의 프로필로 바꾸거나, 새로 등록하려면 id 열 없이 저장하세요.")
          : LocalizedText(
            "Export again, or save the rows without the column id to create new products.",
            ko: "다시 내보내거나, 새로 등록하려면 id 열 없이 저장하세요.")),
      code: .otherDestination)
  }
}
