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

/// `pull DIR`: writes the products of the market into a folder, one file a product, and preserves local changes.
package struct PullCommand: Command {
  package static let declaration = CommandDeclaration(
    "pull", group: .view, summary: LocalizedText("save products as files in a folder", ko: "상품을 폴더의 파일로 저장"),
    usage: ["pull DIR [TARGETS|where EXPR] [mine] [keep file|server] [full] [dry]"],
    details: LocalizedText(
      "Writes one TOML file per product into DIR/products and the images into DIR/pictures. The first pull chooses the products of the folder. Later pulls keep what you changed; a value that also changed on the server is a conflict and is left as it is, unless the command says which side to keep.",
      ko:
        "상품마다 TOML 파일 하나를 DIR/products에, 사진을 DIR/pictures에 저장합니다. 폴더의 상품은 처음 가져올 때 정합니다. 다시 가져올 때는 폴더에서 바꾼 값을 그대로 두며, 서버에서도 바뀐 값은 충돌이라 keep으로 어느 쪽을 남길지 정하지 않으면 그대로 둡니다."
    ),
    producesData: true, traits: [.requiresFullScan],
    parameters: [
      .folder,
      Parameter(
        "TARGETS", .positional(required: false), kind: .target,
        summary: LocalizedText(
          "the products; where and mine stay with the folder", ko: "대상 상품. where와 mine은 폴더에 남음")),
      Parameter("mine", .flag, kind: .none, summary: LocalizedText("only your own products", ko: "내 상품만")),
      ConflictResolution.parameter(
        LocalizedText(
          "on a conflict, keep the file's value, or take the server's", ko: "충돌에서 파일의 값을 남기거나(file), 서버의 값을 따름(server)")
      ),
      Parameter(
        "full", .flag, kind: .none,
        summary: LocalizedText(
          "read descriptions and images also of more than \(FolderScan.maximumDetailed) products",
          ko: "상품이 \(FolderScan.maximumDetailed)개를 넘어도 설명과 사진까지 읽기")),
      Parameter("dry", .flag, kind: .none, summary: LocalizedText("only show what would change", ko: "바뀔 것만 보기")),
      .pages,
    ],
    replacedWords: ["theirs": "keep server"],
    examples: [
      .init("pull shop", "all products, into the folder shop", ko: "모든 상품을 shop 폴더로"),
      .init("pull shop mine", "your own products", ko: "내 상품만"),
      .init("pull shop where stock=0", "the products that are sold out", ko: "품절된 상품"),
      .init("pull shop keep server", "takes the server's values where both changed", ko: "양쪽에서 바뀐 값은 서버를 따름"),
      .init("pull shop dry", "shows what would change in the folder", ko: "폴더에서 바뀔 것만"),
    ])

  private let typed: String
  private let target: ProductSelector?
  private let isMine: Bool
  private let winner: ConflictResolution?
  private let isFull: Bool
  private let isDry: Bool
  private let pages: Int?

  /// - Throws: `ParseError` for `mine` with product numbers.
  package init(_ invocation: ParsedCommand) throws {
    typed = invocation.text("DIR") ?? ""
    target = invocation.target("TARGETS")
    isMine = invocation.has("mine")
    winner = ConflictResolution(invocation)
    isFull = invocation.has("full")
    isDry = invocation.has("dry")
    pages = invocation.number("pages")
    switch target {
    case .ids, .rows, .allRows, .last:
      if isMine { throw PullCommand.mineBesideTargets }
    case .matching, .mine, nil: break
    }
  }

  private static let mineBesideTargets = ParseError(
    LocalizedText(
      "\(.command("mine")) cannot be combined with other targets.",
      ko: "\(.command("mine"), .topic) 다른 대상과 함께 쓸 수 없습니다."))

  /// - Throws: `CommandError` for files that can't be used, for a folder of another market, and if another command uses
  ///   the folder; the errors of reading the list; `FileError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let market = try await scope.marketClient()
    let folder = ProductFolder(typed, home: scope.context.program.environment["HOME"])
    let isDry = isDry || scope.mode != .write
    let pulled = try folder.origin()
    let identity = try await folder.checkMarket(pulled, is: market, in: scope)
    let selection = try selection(pulled, in: scope)
    var lock: FolderLock?
    if !isDry {
      try folder.create()
      lock = try folder.lock()
    }
    defer { withExtendedLifetime(lock) {} }
    var (base, files) = try folder.state()
    if !isDry, try await FolderCreates(folder, at: market).complete(base, in: scope) {
      (base, files) = try folder.state()
    }
    try FolderCreates(folder, at: market).settle(&base, in: scope)
    let origin = ProductFolder.Origin(
      market: identity, edition: market.service.dialect.name, profile: scope.session.server.name,
      selection: choosesProducts ? selection.text : pulled?.selection ?? selection.text)
    if !isDry {
      // Also a pull that is stopped leaves a folder of one market.
      if pulled == nil { try folder.save(origin) }
      files = try folder.completeIDs(of: files)
    }
    var update = try FolderUpdate(
      folder, files: files, base: base, winner: winner, isDry: isDry, market: market, scope)
    let scan = FolderScan(market, selection: selection, isFull: isFull, pages: pages, in: scope)
    let scanned = try await update.merge(scan)
    if !isDry, pulled != nil { try folder.save(origin) }
    return result(update, scanned, isDry: isDry)
  }

  /// A Boolean value that indicates that the line chooses the products of the folder.
  private var choosesProducts: Bool {
    switch target {
    case .matching: true
    case .ids, .rows, .allRows, .last: false
    case .mine, nil: isMine
    }
  }

  private func selection(_ pulled: ProductFolder.Origin?, in scope: CommandScope) throws -> FolderScan.Selection {
    switch target {
    case .matching(let condition) where isMine:
      // Without accounts, each product of the list is asked for instead, which a condition can't express.
      guard scope.session.server.hasVendorAccounts else { throw PullCommand.mineBesideTargets }
      guard scope.session.credentials.vendorID != nil else { throw CommandError.unknownVendor }
      return .matching(.all([.compare(.field(.vendorID), .equal, .me), condition]))
    case .matching(let condition): return .matching(condition)
    case .ids, .rows, .allRows, .last:
      return .ids(try TargetResolver(target ?? .last).known(in: scope.session))
    case .mine, nil: break
    }
    if isMine { return .mine }
    guard let pulled else { return .all }
    return FolderScan.Selection(stored: pulled.selection) ?? .all
  }

  private func result(_ update: FolderUpdate, _ scanned: FolderScan.Summary, isDry: Bool) -> CommandResult {
    var reports: [Report] = []
    let differences = update.differences
    let line = "pull \(Quoting.quote(typed))"
    let counts = [update.created, update.updated, update.removed].map { NumberFormatting.grouped($0) }
    let read = NumberFormatting.grouped(scanned.count)
    let summary = LocalizedText(
      "\(read) \(scanned.count == 1 ? StyledText("product") : "products") read: \(counts[0]) new, \(counts[1]) updated, \(counts[2]) removed in \(.value(typed)).",
      ko: "상품 \(read)개를 읽었습니다. \(.value(typed)): 새 파일 \(counts[0])개, 갱신 \(counts[1])개, 삭제 \(counts[2])개.")
    var message = Message(isDry ? .note : .success, summary)
    if isDry {
      message = message.because("Dry run: nothing was written.", ko: "모의 실행: 아무것도 저장하지 않았습니다.")
    } else if update.isFirst {
      message = message.next(
        "Edit the files, then run \(.command("status \(Quoting.quote(typed))")) and \(.command("push \(Quoting.quote(typed))")).",
        ko:
          "파일을 고친 뒤 \(.command("status \(Quoting.quote(typed))"), .with) \(.command("push \(Quoting.quote(typed))"), .object) 실행하세요."
      )
    }
    reports.append(.message(message))
    if scanned.lacksDetails {
      reports.append(
        .message(
          Message.note(
            "Images, and descriptions that lists do not contain, were not read for so many products.",
            ko: "상품이 많아 사진과 목록에 없는 설명은 읽지 않았습니다."
          ).next("Add \(.command("full")) to read them one by one.", ko: "하나씩 읽으려면 \(.command("full"), .object) 붙이세요."))
      )
    }
    if update.lostPictures > 0 {
      let count = update.lostPictures
      reports.append(
        .message(
          .warning(
            "The images of \(count) \(count == 1 ? StyledText("product") : "products") could not be fetched; their files name none.",
            ko: "상품 \(count)개의 사진을 가져오지 못해 파일에 적지 않았습니다.")))
    }
    if let conflicts = differences.conflictMessage(line) { reports.append(.message(conflicts)) }
    if !update.isFirst { reports.append(.rows(FolderDifference.table(differences))) }
    let hasConflicts = differences.contains { $0.side == .both }
    return CommandResult(.group(reports), status: hasConflicts || !scanned.isComplete ? .partialFailure : .success)
  }
}

extension Parameter {
  /// The folder of products.
  static let folder = Parameter(
    "DIR", .positional(required: true), kind: .file, summary: LocalizedText("folder of products", ko: "상품 폴더"))
}
