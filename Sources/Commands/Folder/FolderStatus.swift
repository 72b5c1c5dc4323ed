import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `status DIR`: the differences between a folder, its base and the market, like `git status`.
struct FolderStatus {
  private let folder: ProductFolder

  init(_ folder: ProductFolder) { self.folder = folder }

  /// Compares the folder. Nothing is written.
  ///
  /// - Throws: `CommandError` for a folder that wasn't pulled or belongs to another market, and for files that can't be
  ///   used; the errors of reading the list.
  func run(in scope: inout CommandScope) async throws -> CommandResult {
    let market = try await scope.marketClient()
    guard let origin = try folder.origin() else {
      throw CommandError(
        .usageError,
        .failure(
          "\(.value(folder.typed)) was not pulled from a server.",
          ko: "\(.value(folder.typed), .topic) 서버에서 가져온 폴더가 아닙니다."
        )
        .next(
          "Run \(.command("pull \(Quoting.quote(folder.typed))")) first.",
          ko: "먼저 \(.command("pull \(Quoting.quote(folder.typed))"), .object) 실행하세요."))
    }
    try await folder.checkMarket(origin, is: market, in: scope)
    var (base, files) = try folder.state()
    try FolderCreates(folder, at: market).settle(&base, in: scope)
    var update = try FolderUpdate(
      folder, files: files, base: base, winner: nil, isDry: true, market: market, scope)
    let scan = FolderScan(
      market, selection: FolderScan.Selection(stored: origin.selection) ?? .all, isFull: false, pages: nil, in: scope)
    let scanned = try await update.merge(scan)
    let differences = update.differences
    let lines = FolderStatus.lines(differences, scope.dataOptions)
    return CommandResult(
      .group([
        .message(summary(differences, scanned.count)),
        .drawing(Figure(lines, table: FolderDifference.table(differences))),
      ]), status: scanned.isComplete ? .success : .partialFailure)
  }

  private func summary(_ differences: [FolderDifference], _ count: Int) -> Message {
    func files(_ side: FolderDifference.Side) -> Int { Set(differences.filter { $0.side == side }.map(\.file)).count }
    let (local, market, both) = (files(.local), files(.market), files(.both))
    let name = Quoting.quote(folder.typed)
    guard !differences.isEmpty else {
      return .note(
        "\(.value(folder.typed)) and the server agree: \(NumberFormatting.grouped(count)) \(count == 1 ? StyledText("product") : "products").",
        ko: "\(.value(folder.typed), .with) 서버가 같습니다. 상품 \(NumberFormatting.grouped(count))개.")
    }
    var message = Message.note(
      "\(.value(folder.typed)): \(local) changed in the folder, \(market) on the server, \(both) on both sides.",
      ko: "\(.value(folder.typed)): 폴더에서 바뀐 파일 \(local)개, 서버에서 바뀐 상품 \(market)개, 양쪽에서 바뀐 것 \(both)개.")
    if local > 0 {
      message = message.next(
        "Run \(.command("push \(name)")) to send the folder's changes.",
        ko: "폴더의 변경을 보내려면 \(.command("push \(name)"), .object) 실행하세요."
      )
    }
    if market > 0 || both > 0 {
      message = message.next(
        "Run \(.command("pull \(name)")) to take the server's changes.",
        ko: "서버의 변경을 가져오려면 \(.command("pull \(name)"), .object) 실행하세요.")
    }
    return message
  }

  private static func lines(_ differences: [FolderDifference], _ options: RenderOptions) -> [[Figure.Run]] {
    let sections: [(FolderDifference.Side, LocalizedText)] = [
      (.local, LocalizedText("Changed in the folder:", ko: "폴더에서 바뀐 것:")),
      (.market, LocalizedText("Changed on the server:", ko: "서버에서 바뀐 것:")),
      (.both, LocalizedText("Changed on both sides:", ko: "양쪽에서 바뀐 것:")),
    ]
    let width = (options.isTerminal ? options.width : nil) ?? 100_000
    var lines: [[Figure.Run]] = []
    for (side, title) in sections {
      let those = differences.filter { $0.side == side }
      guard !those.isEmpty else { continue }
      lines += Figure.paragraph("\(.strong(title[options.language].plain))", width: width, options)
      for one in those {
        let line: StyledText =
          "\(one.word[options.language].plain) \(.value("products/\(one.file)"))\(detail(of: one))"
        lines += Figure.paragraph(line, width: max(20, width - 2), options).map { [Figure.Run("  ")] + $0 }
      }
    }
    return lines
  }

  private static func detail(of one: FolderDifference) -> StyledText {
    guard let field = one.kind.field else { return "" }
    let texts = [one.base, one.local, one.market].map { FolderDifference.text($0) }
    let name: StyledText = " \(.field(field))"
    switch one.side {
    case .local: return name + " \(.before(texts[0])) -> \(.after(texts[1]))"
    case .market: return name + " \(.before(texts[0])) -> \(.after(texts[2]))"
    case .both: return name + " \(.before(texts[0])) -> \(.after(texts[1])) | \(.after(texts[2]))"
    }
  }
}
