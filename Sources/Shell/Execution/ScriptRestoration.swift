import Catalog
import CommandLanguage
import Commands
import Foundation
import MarketAPI
import MarketOperations
import Networking
import OrderedCollections
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The restoring of what the lines after the stop of a script refer to: variables, `_`, rows of a listing.
///
/// A value that isn't recorded can't be restored, nor a product that doesn't exist any more or whose number another one has:
/// then the lines aren't run.
struct ScriptRestoration {
  private let run: Run
  private let lines: [String]
  private let context: CommandContext

  init(_ run: Run, of lines: [String], _ context: CommandContext) {
    self.run = run
    self.lines = lines
    self.context = context
  }

  /// The values before the line that stopped.
  ///
  /// A run without a record of them restores none.
  var values: RunValues { run.values ?? RunValues() }

  /// Returns the values after the line that stopped.
  ///
  /// - Parameters:
  ///   - written: The writes of that line, which are complete.
  ///   - line: The text of that line.
  ///   - session: The session that resumes.
  /// - Throws: `JournalError` if the log can't be read.
  func values(
    after written: [JournalEntry], of line: String, in session: Session
  ) throws -> RunValues {
    var values = values
    let product = try written.count == 1 ? reference(writtenBy: written[0], session) : nil
    values.last = product
    if written.contains(where: { $0.action != .patch }) { values.rows = [] }
    if let name = CommandScope(session, context).checked(line)?.first
      .flatMap(ScriptRestoration.captured)?.name
    {
      values.variables[name] = product.map { .product($0) }
    }
    return values
  }

  /// Returns the product of a write, or `nil` for a delete and for a write without a product.
  private func reference(
    writtenBy entry: JournalEntry, _ session: Session
  ) throws -> ProductReference? {
    guard entry.action != .delete, let id = entry.product else { return nil }
    let journal = try context.stores.journal()
    return try journal.reference(to: id, writtenBy: entry, session.marketLogin) ?? ProductReference(id: id)
  }

  /// Returns the session of the scope with the values, or `nil` if one can't be restored.
  func session(_ values: RunValues, in scope: inout CommandScope) async throws -> Session? {
    let needs = Needs(lines)
    var session = scope.session
    session.variables = [:]
    var products: Set<ProductReference> = []
    for name in needs.variables {
      if let known = scope.session.variables[name], !mayHaveBeenSet(name) {
        session.variables[name] = known
        continue
      }
      switch values.variables[name] {
      case .product(let product): products.insert(product)
      case .json(let text):
        guard let value = try? JSON(parsing: Data(text.utf8)) else { return nil }
        session.variables[name] = Variable(value)
      case nil: return nil
      }
    }
    if needs.last {
      guard let last = values.last else { return nil }
      products.insert(last)
    }
    if let row = needs.rows.max() {
      guard values.rows.count >= row else { return nil }
      products.formUnion(values.rows)
    }
    if needs.others { return nil }
    guard !products.isEmpty else { return session }
    guard let found = try await find(products, in: &scope) else { return nil }
    for name in needs.variables {
      guard case .product(let meant) = values.variables[name], session.variables[name] == nil else { continue }
      session.variables[name] = found[meant.id].map { (product: Product) in
        Variable(product, of: session.market)
      }
    }
    if needs.last {
      session.last.product = values.last.flatMap { found[$0.id] }
      session.last.market = session.market
    }
    if !needs.rows.isEmpty {
      let rows = values.rows.compactMap { found[$0.id] }
      session.listing.last = Listing(Page(number: 1, products: rows))
      session.listing.market = session.market
    }
    return session
  }

  /// Returns the products by id, or `nil` if one doesn't exist any more or is another one now, or if the server can't be
  /// reached.
  private func find(
    _ meant: Set<ProductReference>, in scope: inout CommandScope
  ) async throws -> [Product.ID: Product]? {
    do {
      let market = try await scope.marketClient()
      let ids = Set(meant.map(\.id))
      let found = try await ProductReader(market, scope).find(ids.sorted(), optional: ids)
      let areThere = meant.allSatisfy { product in
        found[product.id].map { product.mismatch(with: $0) == nil } ?? false
      }
      return areThere ? found : nil
    } catch is MarketError {
      return nil
    } catch let failure as TransportError where failure.reason != .cancelled {
      return nil
    }
  }

  /// Returns whether a line of the script before the stop may have set a variable, so that another value of this session
  /// isn't meant.
  private func mayHaveBeenSet(_ name: String) -> Bool {
    // What the user has set at the prompt since then is a correction, unless the script itself sets it.
    guard let path = run.unit.path, let inputs = try? ScriptFile.lines(path) else { return true }
    return ScriptLines(inputs).contains { line in
      guard case .line(let line) = line, line.number <= run.line?.number ?? 0 else { return false }
      return line.text.contains(SourceCommand.declaration.name) || Needs.names(setBy: line.text).contains(name)
    }
  }

  /// Returns the name and the line of `let NAME = COMMAND`, or `nil` for another command.
  static func captured(by command: ParsedCommand) -> (name: String, line: String)? {
    guard command.command == LetCommand.declaration.name, command.has("="), let name = command.text("NAME"),
      let range = command.text.range(of: "=")
    else { return nil }
    return (name, command.text[range.upperBound...].trimmed)
  }

  /// The variables, `_` and rows that lines refer to and that were there before them.
  private struct Needs {
    var variables: Set<String> = []
    var last = false
    var rows: Set<Int> = []
    /// A Boolean value that indicates a value that isn't recorded, such as `$count`.
    var others = false

    private static let unrecorded: Set<String> = ["count", "total", "page", "pages", "status"]

    init(_ lines: [String]) {
      var known: Set<String> = []
      for line in lines {
        for case .word(let word) in Lexer(line).tokens {
          let bare = String(word.bareBeginning)
          if bare == "_" || bare.hasPrefix("_.") { last = true }
          if bare.hasPrefix("@") { add(row: bare) }
          for part in word.parts where part.kind == .variable { add(ValuePath.split(part.text).root, known) }
        }
        known.formUnion(Needs.names(setBy: line))
      }
    }

    private mutating func add(row text: String) {
      let numbers = text.dropFirst().split { !$0.isNumber }.compactMap { Int($0) }
      if text.hasPrefix("@all") { rows.insert(1) } else { rows.formUnion(numbers) }
    }

    private mutating func add(_ root: String, _ known: Set<String>) {
      if known.contains(root) || Int(root) != nil { return }
      if root == "_" {
        last = true
      } else if root.hasPrefix("@") {
        add(row: root)
      } else if Needs.unrecorded.contains(root) {
        others = true
      } else {
        variables.insert(root)
      }
    }

    /// Returns the variables that a line sets.
    static func names(setBy line: String) -> Set<String> {
      let words = Lexer(line).tokens.compactMap { if case .word(let word) = $0 { word.text } else { nil } }
      return Set(
        zip(words, words.dropFirst()).filter { $0.0 == LetCommand.declaration.name }.map { _, name in
          String(name.prefix { $0 != "=" })
        })
    }
  }
}

extension RunValues {
  /// The maximum size of a recorded value in bytes.
  private static let maximumBytes = 4_096
  /// The maximum number of recorded rows and variables.
  private static let maximumCount = 1_000

  /// Creates what a line refers to. Responses, long values and those that contain a secret are left out.
  init(_ session: Session, hiding secrets: SecretRegistry) {
    self.init()
    last = session.last.product.map { ProductReference(recording: $0) }
    let products = session.listing.last?.page.products ?? []
    if products.count <= RunValues.maximumCount { rows = products.map { ProductReference(recording: $0) } }
    arguments = session.script.arguments ?? []
    for (name, variable) in session.variables.suffix(RunValues.maximumCount) where variable.response == nil {
      if let product = variable.product {
        variables[name] = .product(ProductReference(recording: product))
        continue
      }
      let text = variable.value.serialized
      guard text.utf8.count <= RunValues.maximumBytes, !secrets.occur(in: text) else { continue }
      variables[name] = .json(text)
    }
  }
}
