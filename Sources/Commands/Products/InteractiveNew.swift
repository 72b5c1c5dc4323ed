import Catalog
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// `new` on a terminal: the form, a summary of the product, and the question, from which the user can return to the
/// form.
struct InteractiveNew {
  private let asker: any UserPrompt
  private let given: NewProductFields
  private let consent: WriteOptions
  private let resumes: Bool

  /// Creates the dialog.
  ///
  /// If `resumes` is true, the form begins with the input of the last abandoned one.
  init(_ asker: any UserPrompt, given: NewProductFields, consent: WriteOptions, resumes: Bool) {
    self.asker = asker
    self.given = given
    self.consent = consent
    self.resumes = resumes
  }

  func run(at market: Client<MarketService>, in scope: inout CommandScope) async throws -> CommandResult {
    let policy = scope.session.limits
    let stored = StoredFormInput(in: scope)
    var texts = resumes ? stored.texts : [:]
    let isResumed = !texts.isEmpty
    if given.currency == nil, texts[.currency] == nil, let currency = await defaultCurrency(market, scope.session) {
      texts[.currency] = currency.code
    }
    var form = NewProductForm(
      asker, given: given, left: texts,
      rules: NewProductFormValidator(
        policy, home: scope.context.program.environment["HOME"], for: market.service.dialect),
      look: NewProductFormView(scope.messageOptions, isResumed: isResumed), keep: { try? stored.keep($0) })
    let isApproved = consent.yes || scope.context.program.assumesYes
    let executor = PlanExecutor(market, consent)
    while true {
      let question = WriteQuestion.own { _ in
        if isApproved { return }
        guard let isMeant = await form.confirm() else { throw FormReopened() }
        if !isMeant { throw InteractiveNew.left }
      }
      do {
        guard await form.run() else { throw InteractiveNew.left }
        let plan = try form.fields(policy).plan(in: scope)
        if !isApproved { try await SameNames(market, scope.context).warn(of: plan, in: scope) }
        var result = try await executor.executeOnce(plan, question: question, in: &scope)
        let isCreated = scope.mode == .write && result.error == nil
        if isCreated { stored.remove() } else { keep(form.texts, in: stored, scope) }
        if scope.mode == .write { result.equivalentLine = EquivalentCommand.new(form.texts) }
        return result
      } catch is FormReopened {
        continue
      } catch {
        let isStored = keep(form.texts, in: stored, scope)
        guard !(error is CancellationError) else { throw error }
        var failure = CommandError(describing: error)
        if isStored { failure.message = failure.message.next(InteractiveNew.continuing) }
        throw failure
      }
    }
  }

  /// Stores the input of a form whose product wasn't created, for the next one.
  ///
  /// - Returns: Whether it is stored; if not, a warning was printed.
  @discardableResult private func keep(
    _ texts: [ProductField: String], in stored: StoredFormInput, _ scope: CommandScope
  ) -> Bool {
    do throws(FileError) {
      try stored.keep(texts)
      return true
    } catch {
      let reason = CommandError(error).message
      let warning = Message.warning(
        "What you typed could not be stored, so the next \(.command("new")) will not have it.",
        ko: "입력한 내용을 저장하지 못해 다음 \(.command("new"))에서 이어서 입력할 수 없습니다.")
      scope.say(
        ([reason.what] + reason.reasons).reduce(warning) { $0.because($1) }
          .next("Run \(.command("doctor")) to check the folder.", ko: "\(.command("doctor"), .toward) 폴더를 점검하세요."))
      return false
    }
  }

  private static let continuing = LocalizedText(
    "Run \(.command("new")) to continue with what you typed.", ko: "이어서 입력하려면 \(.command("new"), .object) 실행하세요.")

  /// The user returns from the question to the form.
  private struct FormReopened: Error {}

  /// Returns the currency of the vendor's products on the first page if they all have the same one.
  private func defaultCurrency(_ market: Client<MarketService>, _ session: Session) async -> Currency? {
    guard let me = session.credentials.vendorID else { return nil }
    let page = try? await market.send(ListProducts(page: 1, size: 100, search: nil))
    let currencies = Set(page?.products.filter { $0.vendorID == me }.compactMap(\.currency) ?? [])
    return currencies.count == 1 ? currencies.first : nil
  }

  private static let left = CommandError(
    .blocked, .note("Canceled. Nothing was sent.", ko: "입력을 취소했습니다. 아무것도 보내지 않았습니다."))
}

/// The input of an unfinished form, in a file of the profile, so that it survives the end of the program.
private struct StoredFormInput: Sendable {
  /// The file, or why there is no place for it. The form works without it.
  private let file: Result<EditorFile, FileError>

  init(in scope: CommandScope) {
    let name = "new-\(scope.session.server.profile?.value ?? "server").json"
    let folder = scope.context.stores.home.editorDirectory
    file = Result { () throws(FileError) in try EditorFile(in: folder, named: name) }
  }

  /// The texts of the fields, none if there is no file or if it can't be read.
  var texts: [ProductField: String] {
    guard let text = try? file.get().read(), let object = (try? JSON(parsing: Data(text.utf8)))?.object else {
      return [:]
    }
    var texts: [ProductField: String] = [:]
    for field in NewProductForm.fields {
      if case .string(let text)? = object[field.rawValue] { texts[field] = text }
    }
    return texts
  }

  /// Replaces the stored texts, or removes them if there are none.
  ///
  /// - Throws: `FileError`.
  func keep(_ texts: [ProductField: String]) throws(FileError) {
    guard !texts.isEmpty else { return remove() }
    let members = NewProductForm.fields.compactMap { field in texts[field].map { (field.rawValue, JSON.string($0)) } }
    try file.get().write(JSON.object(members).serialized + "\n")
  }

  func remove() { try? file.get().remove() }
}
