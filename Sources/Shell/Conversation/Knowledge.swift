import Catalog
import Commands
import Engine
import Foundation
import Journal
import Language
import OrderedCollections
import Platform
import Synchronization
import Text

/// What Tab, colours and hints know of the conversation: the grammar, and a snapshot of the session after the last line.
///
/// Read from the editor's thread while a person types; never sends a request.
package final class Knowledge: Sendable {
  private struct Snapshot {
    /// What everything follows from, asked for by the first key and not by the first prompt.
    var session: Session?
    var names: FieldNames { session?.place.fieldNames ?? .neutral }
    var grammar: Grammar { AllCommands.registry.grammar(aliases: session?.aliases ?? [:]) }
    var tongue: Tongue { session?.settings.tongue ?? .english }
  }

  private let snapshot = Mutex(Snapshot())
  private let home: Home
  private let person: String?
  private let journal: @Sendable () throws -> Journal?

  /// - Parameter journal: where `undo` finds what it could take back; nil where there is none yet.
  package init(
    _ home: Home, environment: [String: String], journal: @escaping @Sendable () throws -> Journal? = { nil }
  ) {
    self.home = home
    self.journal = journal
    person = environment["HOME"]
  }

  /// Takes over what the last command made known.
  package func follow(_ session: Session) {
    snapshot.withLock { $0.session = session }
  }

  package func complete(_ line: String, at cursor: Int) -> Language.Completion {
    let now = snapshot.withLock { $0 }
    return now.grammar.complete(line, cursor: cursor, sources: sources(now), names: now.names)
  }

  package func paint(_ line: String) -> [(range: Range<Int>, role: Role)] {
    let now = snapshot.withLock { $0 }
    return now.grammar.paint(line, names: now.names)
  }

  /// The shape of what is missing behind the line; "" when nothing is.
  package func hint(_ line: String) -> String {
    let now = snapshot.withLock { $0 }
    return now.grammar.hint(line, names: now.names)?[now.tongue].plain ?? ""
  }

  package var tongue: Tongue { snapshot.withLock { $0.tongue } }

  package var grammar: Grammar { snapshot.withLock { $0.grammar } }

  private func sources(_ now: Snapshot) -> CompletionSources {
    CompletionSources(
      seen: now.session?.seen ?? SeenProducts(), vendors: now.session.map { Array($0.seenVendors) } ?? [],
      files: { [person] in PathCompletion.files($0, home: person) },
      profiles: { [home] in ((try? ProfileStore(home).load()) ?? [:]).keys.sorted() },
      settings: Setting.all.map { setting in
        switch setting.kind {
        case .choice(let values): .init(setting.name, values: values, setting.summary)
        case .text, .number, .decimal, .field, .fields, .target, .file, .files, .currency, .profile, .setting, .command,
          .expression, .line, .write, .batch, .rate, .assignment, .settings, .none:
          .init(setting.name, values: [], setting.summary)
        }
      }, variables: now.session.map { Array($0.variables.keys) } ?? [],
      undoable: { [journal] in
        guard let session = now.session, let journal = (try? journal()).flatMap({ $0 }) else { return .init() }
        return UndoableWrites(session).list(journal)
      })
  }
}
