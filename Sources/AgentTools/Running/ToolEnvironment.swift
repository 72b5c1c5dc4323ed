import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Synchronization

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
  ///   - session: The session.
  ///   - context: The dependencies, whose requests go through a transport that only reads.
  ///   - plans: The folder for plans.
  ///   - programLine: The beginning of the line that a person types to apply a plan.
  package init(_ session: Session, _ context: CommandContext, plans: String, programLine: String) {
    var session = session
    session.server.access = Sourced(.readOnly, .option)
    session.aliases = [:]
    session.settings.format = .json
    session.settings.messageFormat = .json
    session.settings.colors = false
    session.completion.products = nil
    self.session = Mutex(session)
    var reading = context.through { RecentResponses(ReadOnlyTransport($0)) }
    reading.bareTransport = ReadOnlyTransport(context.bareTransport)
    reading.asker = nil
    self.context = reading
    self.plans = AgentPlanStore(plans)
    self.programLine = programLine
  }

  /// Returns the scope of one call.
  func scope(_ console: any Console, agent: String?) -> CommandScope {
    var context = context
    context.console = console
    context.agent = agent.flatMap(AgentVariable.agentName) ?? context.agent ?? "mcp"
    return CommandScope(session.withLock { $0 }, context)
  }

  /// Remembers the edition that a call detected.
  func remember(_ used: Session) {
    session.withLock { session in
      session.server.edition = session.server.edition ?? used.server.edition
      session.server.isEditionProven = session.server.isEditionProven || used.server.isEditionProven
    }
  }

  /// Removes secrets from a text.
  package func mask(_ text: String) -> String { context.secrets.mask(text) }
}
