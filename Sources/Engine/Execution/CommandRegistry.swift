import Catalog
import Failures
import Language
import Platform
import Presentation
import Synchronization
import Text

/// The commands that there are, and the grammar that their declarations make; handed in, so that a command can ask about
/// the others without knowing their list.
package struct CommandRegistry: Sendable {
  private let declared: Declared

  package init(_ types: [any Command.Type]) { declared = Declared(types) }

  /// In the order of the overview.
  package var types: [any Command.Type] { declared.types }
  package var grammar: Grammar { declared.all.grammar }

  /// What the declarations say all together, put together when it is first asked for: a prompt asks for nothing before the
  /// first key.
  private final class Declared: Sendable {
    let types: [any Command.Type]
    private let made = Mutex<(grammar: Grammar, byName: [String: any Command.Type])?>(nil)

    init(_ types: [any Command.Type]) { self.types = types }

    var all: (grammar: Grammar, byName: [String: any Command.Type]) {
      made.withLock { made in
        if let made { return made }
        let new = (
          Grammar(types.map { $0.declaration }),
          Dictionary(uniqueKeysWithValues: types.map { ($0.declaration.name, $0) })
        )
        made = new
        return new
      }
    }
  }

  /// The language as a user with these names for lines has it.
  package func grammar(aliases: [String: String]) -> Grammar {
    var grammar = grammar
    grammar.aliases = aliases
    return grammar
  }

  /// What a command that was read declares of itself; nil for a name that is none.
  package func declaration(of invocation: Invocation) -> Declaration? {
    declared.all.byName[invocation.command]?.declaration
  }

  /// The command of an invocation, ready to run.
  ///
  /// - Throws: `ParseError` for what only the command itself can judge.
  package func command(_ invocation: Invocation) throws -> any Command {
    guard let type = declared.all.byName[invocation.command] else {
      throw ParseError(
        LocalizedText("There is no command \(invocation.command).", ko: "\(invocation.command) 명령은 없습니다."))
    }
    return try type.init(invocation)
  }
}

/// Runs, or only reads, the lines that a command holds: `source`, `let x = show 42`, `assert status 404: …`, `plan …`.
///
/// Who runs lines hands it to the commands, which know nothing of aliases, prefixes and scripts.
package protocol NestedLines: Sendable {
  /// Runs the commands of a line in order, in the same mode as the command that holds it.
  ///
  /// - Returns: the execution of the last one.
  /// - Throws: what the first that fails throws.
  @discardableResult
  func run(
    _ line: String, _ session: inout Session, _ mode: Execution.Mode, in context: Context
  ) async throws -> Execution
  /// - Throws: the first thing that is wrong with a line, which is read and not run.
  func check(_ line: String, _ session: inout Session, in context: Context) throws
  /// Runs the lines of a file as if they were typed here.
  ///
  /// - Throws: `FileError`; what the first line that fails throws; `Failure` for a script that runs itself.
  func run(script: ScriptReference, _ session: inout Session, _ mode: Execution.Mode, in context: Context) async throws
  /// - Throws: `FileError`; the first thing that is wrong with a line of the file, none of which is run.
  func check(script: ScriptReference, _ session: inout Session, in context: Context) throws
}

/// A script that a line names.
package struct ScriptReference: Hashable, Sendable {
  /// Where it lies.
  package var path: String
  /// As the person wrote it.
  package var name: String
  /// `$1`, `$2` … in it.
  package var arguments: [String]

  package init(_ path: String, named name: String, arguments: [String] = []) {
    self.path = path
    self.name = name
    self.arguments = arguments
  }
}

extension Context {
  /// The language as the user of the session has it.
  package func grammar(of session: Session) -> Grammar { commands.grammar(aliases: session.aliases) }

  /// The commands of a line, with the values that its variables have now.
  ///
  /// - Throws: `ParseError` with the place in the line.
  package func read(_ line: String, _ session: Session) throws -> [Invocation] {
    try commands.grammar.segments(of: line).map { segment in
      try commands.grammar.read(
        segment, of: line, names: session.server.fieldNames, arguments: session.frames.last?.arguments,
        variables: session.value)
    }
  }
}

/// One thing a person can ask for. A command decides and reports; it prints nothing itself.
package protocol Command: Sendable {
  static var declaration: Declaration { get }
  /// - Throws: `ParseError` for what only this command can judge; the rest was checked against its declaration.
  init(_ invocation: Invocation) throws
  /// - Throws: whatever `Failure` has words and an exit code for; what is this command's own stands with it.
  func run(_ session: inout Session, _ execution: inout Execution, in context: Context) async throws -> Report
  /// Whether this very line writes: such a line is not repeated by `watch`, and `curl` sends nothing of it.
  var writes: Bool { get }
}

extension Command {
  package var writes: Bool { Self.declaration.writes }
}

/// A command that holds other commands, or that changes what later lines mean: `--check` has to look into it.
package protocol Checkable: Command {
  /// - Parameter session: a copy that only the check sees.
  /// - Throws: what is wrong with the command; nothing is sent.
  func check(_ session: inout Session, in context: Context) throws
}

/// One command being carried out: how it is meant, what it learns on the way, and how it ends.
///
/// Made for every command by whoever runs its line, and dropped after it: nothing of it outlives the command.
package struct Execution: Hashable, Sendable {
  /// What is to become of what the command would write.
  package enum Mode: Hashable, Sendable {
    case write
    /// It is shown, and nothing is sent that writes.
    case dry
    /// Its requests are wanted as curl commands; nothing is shown, asked or sent that writes.
    case curl
  }

  package let mode: Mode
  /// How the command would be written so that it asks nothing: a form or an editor filled it in.
  package var spelling: String?
  /// What it wrote is out of the ordinary, and had to be allowed.
  package var isExtreme = false
  /// How it ends when its report itself tells of something not done: a batch.
  package var ending = ExitStatus.success
  /// Why it ends so, for a report on the whole run, where the command has better words than the exit code.
  package var reason: Message?
  /// The points that the command checked one by one, for a report on the whole run.
  package var checks: [CheckResult] = []
  /// What it would write, where only the requests are wanted.
  package var intended: [Plan] = []
  /// Nothing was written where something would have been: it does not belong into a script of what was done.
  package var wasOnlyShown = false
  /// The line of a script that the command is, and how often it has run before in this run; nil for a line that was typed.
  /// See `Intent.line`.
  package var line: String?

  package init(_ mode: Mode = .write) { self.mode = mode }
}
