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

/// `push DIR`: applies the changes of a folder to the market as a batch.
package struct PushCommand: Command {
  package static let declaration = CommandDeclaration(
    "push", group: .change, summary: LocalizedText("apply the changes of a folder", ko: "폴더의 변경 적용"),
    usage: ["push DIR [deletes] [keep file|server] [dry] [fail-on any|deletes]"],
    details: LocalizedText(
      "Compares the files of a folder with what was pulled and sends only what you changed. A file without an id is a new product; its id is saved in the file before the next one is sent. A deleted file deletes its product only with deletes.",
      ko:
        "폴더의 파일을 가져온 내용과 비교해 바꾼 것만 보냅니다. id가 없는 파일은 새 상품이며, 다음 상품을 보내기 전에 번호를 파일에 저장합니다. 삭제한 파일의 상품은 deletes를 붙여야 삭제합니다."
    ),
    writesToMarket: true, producesData: true,
    parameters: [
      .folder,
      Parameter(
        "deletes", .flag, kind: .none,
        summary: LocalizedText("delete the products of deleted files", ko: "삭제한 파일의 상품도 삭제")),
      ConflictResolution.parameter(
        LocalizedText(
          "on a conflict, send the file's value, or keep the server's, also in the file",
          ko: "충돌에서 파일의 값을 보내거나(file), 서버의 값을 따르고 파일에도 적음(server)")),
      Parameter("dry", .flag, kind: .none, summary: LocalizedText("only show the changes", ko: "변경을 보기만")),
      .showingAll,
    ],
    replacedWords: ConflictResolution.replacedWords,
    examples: [
      .init("push shop", "shows the changes and asks", ko: "변경을 보여 주고 확인"),
      .init("push shop deletes", "also delete products whose files are gone", ko: "파일을 지운 상품도 삭제"),
      .init("push shop keep file", "the folder wins where both changed", ko: "양쪽에서 바뀐 값은 폴더를 따름"),
      .init("push shop dry fail-on any", "exit 8 if anything would be sent, for CI", ko: "보낼 것이 있으면 종료 코드 8(CI용)"),
    ])

  private let consent: WriteOptions
  private let typed: String
  private let deletes: Bool
  private let isDry: Bool
  private let winner: ConflictResolution?

  package init(_ invocation: ParsedCommand) throws {
    consent = WriteOptions(invocation)
    typed = invocation.text("DIR") ?? ""
    deletes = invocation.has("deletes")
    isDry = invocation.has("dry")
    winner = ConflictResolution(invocation)
  }

  /// - Throws: `CommandError` for files that can't be used, for a folder of another market, and if the changes aren't
  ///   approved; the errors of reading the products.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if isDry, scope.mode == .write { scope.mode = .dry }
    try scope.requireWritable()
    let market = try await scope.marketClient()
    let folder = ProductFolder(typed, home: scope.context.program.environment["HOME"])
    let origin = try folder.origin()
    let identity = try await folder.checkMarket(origin, is: market, in: scope)
    guard FileKind(folder.path) != .missing else {
      throw CommandError(
        .usageError, .failure("There is no folder \(.value(typed)).", ko: "\(.value(typed)) 폴더가 없습니다."))
    }
    var lock: FolderLock?
    if scope.mode == .write {
      try folder.create()
      lock = try folder.lock()
    }
    defer { withExtendedLifetime(lock) {} }
    var base = try FolderBase(at: folder.baseFile)
    if scope.mode == .write, !consent.again,
      try await FolderCreates(folder, at: market).complete(base, in: scope)
    {
      base = try FolderBase(at: folder.baseFile)
    }
    try FolderCreates(folder, at: market).settle(&base, in: scope)
    let (plan, files, notes) = try await planned(folder, base: base, market: market, in: scope)
    if origin == nil, scope.mode == .write {
      try folder.save(
        ProductFolder.Origin(
          market: identity, edition: market.service.dialect.name, profile: scope.session.server.name,
          selection: "all"))
    }
    return try await push(
      plan, notes: notes, record: PushRecord(folder, base, of: files), folder: folder, market: market, in: &scope)
  }

  /// Returns the changes, with the files of their rows.
  ///
  /// The other files and products of a large folder are not needed after that.
  private func planned(
    _ folder: ProductFolder, base: FolderBase, market: Client<MarketService>, in scope: CommandScope
  ) async throws -> (plan: Plan, files: [String: PushedFile], notes: [Message]) {
    var problems = FolderProblems(typed)
    var files = folder.files(base, &problems)
    try problems.throwIfAny()
    if scope.mode == .write { files = try folder.completeIDs(of: files) }
    var planner = PushPlanner(
      folder, files: files, base: base, winner: winner, deletes: deletes, dialect: market.service.dialect,
      session: scope.session)
    try await planner.decide(
      from: market, PictureBackup(market, scope), in: scope)
    return (planner.plan, planner.pushed, planner.notes)
  }

  private func push(
    _ planned: Plan, notes: [Message], record: PushRecord, folder: ProductFolder, market: Client<MarketService>,
    in scope: inout CommandScope
  ) async throws -> CommandResult {
    let reconciler = Reconciler(FolderCreates.source(of: folder), at: market, consent, recording: record.ids)
    var plan = try await reconciler.leavingOutCreated(planned, in: scope)
    let deleted = plan.rows.count { if case .delete = $0.planned { true } else { false } }
    if scope.mode == .write {
      let journal =
        Journal.exists(in: scope.context.stores.home.journalFolder) ? try scope.context.stores.journal() : nil
      try record.begin(plan, after: journal?.newestEntry() ?? 0)
    }
    if deleted > 1, deleted == record.productCount { plan.deletedFolderProducts = deleted }
    return try await reconciler.run(
      plan, notes: notes, in: &scope,
      unsent: { plan, scope in
        let shown = plan.withoutSettledRows
        guard !shown.rows.isEmpty else {
          return .message(.note("Nothing to push. Nothing was sent.", ko: "보낼 변경이 없습니다. 아무것도 보내지 않았습니다."))
        }
        var result = try await PlanExecutor(market, consent).report(shown, in: &scope)
        if scope.mode == .dry, consent.failOn == .any { result.status = .drift }
        return result
      },
      finish: { made, scope in
        try record.writeBase(made)
        for row in made.rows where row.change != nil {
          guard case .create(let draft) = row.planned, let old = draft.replaces, let id = row.outcome?.product?.id
          else { continue }
          scope.say(.note("Product \(old) is now product \(id).", ko: "\(old)번 상품은 이제 \(id)번입니다."))
        }
        return made.withoutSettledRows
      })
  }
}

extension Plan {
  /// The plan without the rows for which the folder and the market already agree, so that nothing is reported.
  fileprivate var withoutSettledRows: Plan {
    var rest = self
    rest.rows.removeAll { $0.unchangedProduct != nil && $0.earlierWrite == nil }
    return rest
  }
}
