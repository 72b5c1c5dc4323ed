import Catalog
import Foundation
import Language
import OrderedCollections
import Synchronization

/// What Tab, colours and hints know of the conversation: the grammar, and a snapshot of the session after the last line.
///
/// Read from the editor's thread while a person types; never sends a request.
package final class Knowledge: Sendable {
  private struct Snapshot {
    var seen: [Product] = []
    /// What names and grammar follow from, asked for by the first key and not by the first prompt.
    var session: Session?
    var names: FieldNames { session?.place.fieldNames ?? .neutral }
    var grammar: Grammar { session?.grammar ?? AllCommands.grammar }
    var variables: [String] { session.map { Array($0.variables.keys) } ?? [] }
  }

  private let snapshot = Mutex(Snapshot())
  private let home: Home
  private let person: String?

  package init(_ home: Home, environment: [String: String]) {
    self.home = home
    person = environment["HOME"]
  }

  /// Takes over what the last command made known.
  package func follow(_ session: Session) {
    let seen = session.seen.reversed().map { Product(id: $0.key, name: $0.value.isEmpty ? nil : $0.value) }
    snapshot.withLock {
      $0.seen = seen
      $0.session = session
    }
  }

  package func complete(_ line: String, at cursor: Int) -> Language.Completion {
    let (grammar, names) = snapshot.withLock { ($0.grammar, $0.names) }
    return grammar.complete(line, cursor: cursor, sources: sources, names: names)
  }

  package func paint(_ line: String) -> [(range: Range<Int>, role: Role)] {
    let (grammar, names) = snapshot.withLock { ($0.grammar, $0.names) }
    return grammar.paint(line, names: names)
  }

  private var sources: CompletionSources {
    CompletionSources(
      products: { self.snapshot.withLock { $0.seen } },
      files: { [person] in PathCompletion.files($0, home: person) },
      profiles: { [home] in ((try? ProfileStore(home).load()) ?? [:]).keys.sorted() },
      settings: Setting.all.map { setting in
        switch setting.kind {
        case .choice(let values): .init(setting.name, values: values, setting.summary)
        case .text, .number, .decimal, .field, .fields, .target, .file, .files, .currency, .profile, .setting, .command,
          .expression, .line, .rate, .assignment, .settings, .none:
          .init(setting.name, values: [], setting.summary)
        }
      }, variables: snapshot.withLock { $0.variables })
  }
}
