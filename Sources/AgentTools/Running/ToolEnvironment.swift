import CommandLanguage
import Foundation
import MarketAPI
import ModelContextProtocol
import Networking
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text

/// The session and the dependencies of all tools.
///
/// A call gets a copy of the session. Only what was learnt about the server is remembered between calls.
package final class ToolEnvironment: Sendable {
  private let context: CommandContext
  private let session: Mutex<Session>
  /// The folder of the plans that agents make.
  let plans: AgentPlanStore
  /// The options that the line for a person needs, such as `--profile shop`.
  let programLine: String
  /// Lists are read one after another.
  let scans = SerialQueue()

  /// Creates the environment.
  ///
  /// The session becomes read-only and forgets the aliases, which are a person's.
  ///
  /// - Parameters:
  ///   - context: The dependencies, whose requests go through a transport that only reads.
  ///   - plans: The folder for plans.
  ///   - programLine: The beginning of the line that a person types to apply a plan.
  package init(_ session: Session, _ context: CommandContext, plans: String, programLine: String) {
    var session = session
    session.server.access = Sourced(.readOnly, .option)
    session.server.markets = context.network.markets
    session.aliases = [:]
    session.settings.format = .json
    session.settings.messageFormat = .json
    session.settings.colors = false
    session.completion.products = nil
    self.session = Mutex(session)
    var reading = context.through { RecentResponses(ReadOnlyTransport($0), now: context.clock.monotonicNow) }
    reading.network.bareTransport = ReadOnlyTransport(context.network.bareTransport)
    reading.program.asker = nil
    self.context = reading
    self.plans = AgentPlanStore(plans)
    self.programLine = programLine
  }

  /// Returns the scope of one call.
  func scope(_ console: any Console, agent: String?) -> CommandScope {
    var context = context
    context.program.console = console
    context.program.agent = agent.flatMap(AgentVariable.agentName) ?? context.program.agent ?? "mcp"
    return CommandScope(session.withLock { $0 }, context)
  }

  /// Remembers the edition that a call detected.
  func remember(_ used: Session) {
    session.withLock { session in
      session.server.dialect = session.server.dialect ?? used.server.dialect
      session.server.isEditionProven = session.server.isEditionProven || used.server.isEditionProven
    }
  }

  /// Removes secrets from a text.
  package func mask(_ text: String) -> String { context.stores.secrets.mask(text) }
}

extension JSON {
  /// Returns the value for an agent: texts of strangers without control characters, and prices as strings, because the
  /// numbers of JSON become binary fractions in clients.
  ///
  /// A long text is cut and then ends in `...`, so that one product or one call fits a response.
  var forAgents: JSON {
    amountsAsText.mappingStrings { Sanitizer.sanitized($0, .keep, limit: JSON.maximumTextLength) }
  }

  /// The maximum length of a text in Unicode scalars.
  static let maximumTextLength = 4_000

  private static let amounts: Set = ["price", "discount", "sale"]

  private var amountsAsText: JSON {
    switch self {
    case .null, .bool, .number, .string, .invalidLiteral: self
    case .array(let elements): .array(elements.map(\.amountsAsText))
    case .object(let object):
      .object(
        object.keys.map { key in
          guard JSON.isAmount(key, of: object), case .number(let number)? = object[key] else {
            return (key, (object[key] ?? .null).amountsAsText)
          }
          return (key, .string(number.literal))
        })
    }
  }

  /// Returns whether a number in a member is an amount.
  ///
  /// A row of changes names its field in `field`; it is null for a product that was added or removed, of which the row
  /// contains the price.
  private static func isAmount(_ key: String, of object: JSONObject) -> Bool {
    guard key == "before" || key == "after", let field = object["field"] else { return amounts.contains(key) }
    return field == .null || field.text.map(amounts.contains) ?? false
  }

  /// The integer, or `nil` for any other value.
  var integer: Int? { if case .number(let number) = self { number.int } else { nil } }
  /// The text, or `nil` for any other value.
  var text: String? { if case .string(let text) = self { text } else { nil } }
}

extension JSONObject {
  /// The text of a member, or `nil` without one.
  func text(_ key: String) -> String? { self[key]?.text }
  /// The integer of a member, or `nil` without one.
  func integer(_ key: String) -> Int? { self[key]?.integer }
  /// Returns whether a member is true.
  func flag(_ key: String) -> Bool { self[key] == .bool(true) }
}

/// Work of which one piece runs at a time, in the order of the calls.
final class SerialQueue: Sendable {
  private let last = Mutex<Task<Void, Never>?>(nil)

  /// Runs a body after those before it have ended.
  ///
  /// A cancelled caller's body still waits for its turn, and finds its task cancelled.
  func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let work = last.withLock { last in
      let previous = last
      let work = Task {
        await previous?.value
        try Task.checkCancellation()
        return try await body()
      }
      last = Task { _ = await work.result }
      return work
    }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}
