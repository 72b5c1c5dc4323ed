import Catalog
import CommandLanguage
import Commands
import LineEditing
import MarketOperations
import Networking
import OrderedCollections
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text
import WriteJournal

/// The grammar and a snapshot of the session for completion, highlighting and hints.
///
/// The editor's thread reads it while the user types. It never sends a request.
package final class LineAssistant: Sendable {
  private struct Snapshot {
    /// The session from which names and grammar are derived, at the first key instead of before the first prompt.
    var session: Session?
    var names: FieldNameTable { session?.server.fieldNames ?? .editionIndependent }
    var grammar: CommandParser { AllCommands.registry.grammar(aliases: session?.aliases ?? [:]) }
    var language: MessageLanguage { session?.settings.language ?? .english }
  }

  private let snapshot = Mutex(Snapshot())
  private let home: AppDirectories
  private let person: String?
  /// The folders of programs, the value of `PATH`.
  private let path: String?
  private let embeddedVendors: @Sendable () -> [String]
  private let journal: @Sendable () throws -> Journal?

  /// - Parameters:
  ///   - embeddedVendors: the names of the embedded market's vendors, as far as they are known.
  ///   - journal: where `undo` finds what it could take back; nil where there is none yet.
  package init(
    _ home: AppDirectories, environment: Environment, embeddedVendors: @escaping @Sendable () -> [String] = { [] },
    journal: @escaping @Sendable () throws -> Journal? = { nil }
  ) {
    self.home = home
    self.embeddedVendors = embeddedVendors
    self.journal = journal
    person = environment["HOME"]
    path = environment["PATH"]
  }

  /// Replaces the snapshot of the session.
  package func follow(_ session: Session) {
    snapshot.withLock { $0.session = session }
  }

  package func complete(_ line: String, at cursor: Int) -> CommandLanguage.Completion {
    let now = snapshot.withLock { $0 }
    return now.grammar.completions(line, cursor: cursor, sources: sources(now), names: now.names)
  }

  package func paint(_ line: String) -> [(range: Range<Int>, role: HighlightRole)] {
    let now = snapshot.withLock { $0 }
    return now.grammar.highlights(line, names: now.names) { invocation throws(ParseError) in
      do { _ = try AllCommands.registry.command(invocation) } catch let error as ParseError { throw error } catch {}
    }
  }

  /// Returns the syntax of the arguments that are missing after the line, or after Enter what is still open; otherwise an
  /// empty string.
  package func hint(_ line: String) -> String {
    let now = snapshot.withLock { $0 }
    if line.hasSuffix("\n"), let open = now.grammar.openEnd(of: line) { return open[now.language].plain }
    return now.grammar.usageHint(line, names: now.names)?[now.language].plain ?? ""
  }

  package var language: MessageLanguage { snapshot.withLock { $0.language } }

  package var grammar: CommandParser { snapshot.withLock { $0.grammar } }

  private static func members(of text: String, _ session: Session?) -> [String] {
    let (root, rest) = ValuePath.split(text)
    guard let path = ValuePath(rest) else { return [] }
    if let response = session?.lastResponse(root) { return response.memberPaths(after: path).map { text + $0 } }
    if let value = session?.variables[root]?.value, value.array != nil || value.object != nil {
      return ResponseValue.steps(into: value.value(at: path.steps)).map { text + $0 }
    }
    guard path.steps.isEmpty, let product = session?.product(root) else { return [] }
    return ProductField.allCases.filter { product.text(of: $0) != nil }.map { text + "." + $0.rawValue }
  }

  private static func snapshots(_ session: Session, _ home: AppDirectories) -> [Candidate] {
    SavedVersions.names(session, home).map { Candidate($0.name, LocalizedText(same: "\($0.taken.description)")) }
  }

  /// Returns the last known value of a field of the single product that a target refers to.
  private static func current(_ target: ProductSelector, field: ProductField, session: Session?) -> String? {
    guard let session, let ids = try? TargetResolver(target).known(in: session), ids.count == 1, let id = ids.first
    else {
      return nil
    }
    let product =
      session.last.product?.id == id ? session.last.product : session.listing.last?.page.products.first { $0.id == id }
    return product?.text(of: field)
  }

  /// The vendors that were seen, and those of the embedded market where the session is there.
  private func vendors(_ session: Session?) -> [String] {
    guard let session else { return [] }
    let names = session.server.isEmbedded ? embeddedVendors() : []
    return Array(session.completion.vendors) + names.filter { !session.completion.vendors.contains($0) }
  }

  private func sources(_ now: Snapshot) -> CompletionDataSource {
    CompletionDataSource(
      seen: now.session?.completion.products ?? RecentProductIndex(), vendors: vendors(now.session),
      files: { [person] in PathCompletion.files($0, home: person) },
      programs: { [path] in PathCompletion.programs($0, path: path) },
      profiles: { [home] in ((try? ProfileStore(home).load()) ?? [:]).keys.sorted() },
      snapshots: { [home] in now.session.map { LineAssistant.snapshots($0, home) } ?? [] },
      recipes: { [home] in ((try? RecipeStore(home).load()) ?? [:]).keys.sorted() },
      reports: { [home] in SavedReports.names(in: home) },
      own: now.session?.completion.ownProductIDs ?? [],
      lastListing: now.session?.listing.last?.page.products.map { .init(id: $0.id, name: $0.name ?? "") } ?? [],
      currentValue: { LineAssistant.current($0, field: $1, session: now.session) },
      settings: Setting.all.map { setting in
        switch setting.kind {
        case .choice(let values): .init(setting.name, values: values, setting.summary)
        case .text, .number, .decimal, .field, .fieldAmong, .fields, .target, .file, .files, .currency, .profile,
          .vendor, .setting, .snapshot, .recipe, .report, .command,
          .expression, .line, .sql, .writeNumber, .batchNumber, .writeOrRun, .rate, .productAssignments,
          .namedAssignments, .none:
          .init(setting.name, values: [], setting.summary)
        }
      }, variables: now.session.map { Array($0.variables.keys) } ?? [],
      memberPaths: { LineAssistant.members(of: $0, now.session) },
      undoable: { [journal] in
        guard let session = now.session, let journal = (try? journal()).flatMap({ $0 }) else { return .init() }
        return UndoableWrites(session).list(journal)
      })
  }
}

extension LineAssistant {
  /// The functions for the line editor.
  package var help: LineEditorDelegate {
    LineEditorDelegate(
      completer: choices, highlighter: colours, isUnfinished: { self.grammar.isUnfinished($0) }, hint: hint,
      maySuggest: { !self.grammar.mayWrite($0) },
      expansion: { self.grammar.expansion($0) },
      searchNames: { self.language == .korean ? ("이전 검색", "다음 검색") : ("bck", "fwd") }, explanation: explain,
      prefix: "dry", canEdit: true)
  }

  /// Returns the candidates for Tab in the user's language, with sanitized texts.
  package func choices(_ line: String, at cursor: Int) -> LineEditing.CompletionResult {
    let completion = complete(line, at: cursor)
    let language = language
    return LineEditing.CompletionResult(
      range: completion.range,
      candidates: completion.candidates.map {
        let description = Sanitizer.sanitized($0.summary?[language].plain ?? "", limit: 200)
        return CompletionCandidate($0.text, description: description, endsWord: $0.endsWord)
      }, isCut: completion.isCut)
  }

  /// Returns the description of the command at the cursor, several lines.
  private func explain(_ line: String, at cursor: Int) -> String {
    let now = snapshot.withLock { $0 }
    return now.grammar.explanation(line, cursor: cursor, names: now.names)
      .map { $0[now.language].plain }.joined(separator: "\n")
  }

  /// Returns the colored ranges of a line.
  private func colours(_ line: String) -> [HighlightedRange] {
    paint(line).map { HighlightedRange($0.range, style: $0.role.style) }
      + [Self.wrongSetting(in: line)].compactMap { $0 }.map { HighlightedRange($0, style: HighlightRole.error.style) }
  }

  /// Returns the range of the value in `set NAME VALUE` if the setting doesn't accept it, nor any continuation of it at
  /// the end of the line.
  private static func wrongSetting(in line: String) -> Range<Int>? {
    let words = Lexer(line).tokens.compactMap { token in
      if case .word(let word) = token { word } else { nil }
    }
    guard words.count > 2, words[0].bare == "set", let value = words[2].bare,
      let setting = Setting.all.first(where: { $0.name == words[1].bare }), case .choice(let values) = setting.kind
    else { return nil }
    let isAtEnd = words[2].range.upperBound == line.unicodeScalars.count
    return values.contains { isAtEnd ? $0.hasPrefix(value) : $0 == value } ? nil : words[2].range
  }
}

extension HighlightRole {
  fileprivate var style: String {
    switch self {
    case .command: "1;36"
    case .option: "36"
    case .id: "33"
    case .field: "34"
    case .value: "0"
    case .string: "32"
    case .comment: "2"
    case .error: "4;31"
    }
  }
}
