import EmbeddedMarket
import Foundation
import LineEditing
import Marketplace
import Networking
import Shell

/// Makes the live things once, hands them to the shell, and puts them away again.
struct Program {
  let options: StartOptions
  let home: Home
  let manner: Script.Manner
  let sources: [Source]
  let consent: StandingConsent

  func run() async -> ExitStatus {
    let environment = ProcessInfo.processInfo.environment
    // Children and crash reports have no use for it.
    unsetenv("OPENMARKET_SECRET")
    unsetenv("OPENWEATHER_API_KEY")
    let console = DescriptorConsole()
    let vendor = EmbeddedMarket.demoVendor
    let demo = DemoLogin(identifier: vendor.identifier, secret: vendor.secret, vendorID: vendor.vendorID)
    let session: Session
    do {
      session = try Opening(environment, home, demo: demo).session(options)
    } catch {
      return EarlyFailure(error).say(on: console, options)
    }
    let market = DemoMarket(folder: home.demoFolder)
    if session.place.isEmbedded { openEarly(market, session) }
    let upload = UploadLine(console, ascii: session.settings.ascii)
    let transport = HTTPTransport(version: Version.text, progress: { upload.show(sent: $0, of: $1) })
    let journal = LazyJournal(folder: home.journalFolder, secrets: session.credentials)
    let knowledge = Knowledge(home, environment: environment)
    let editor = isatty(STDIN_FILENO) == 1 ? makeEditor(session, knowledge) : nil
    let context = Context(
      transport: RetryingTransport(transport, bucket: RetryBucket()), embedded: { try await market.address($0) },
      demo: demo, home: home, console: console, asker: editor.map { EditorAsker($0) }, environment: environment,
      consent: consent,
      journal: { try journal.open() }, freshName: { UUID().uuidString.lowercased() },
      history: { await editor?.history() ?? [] })
    let shell = Shell(session: session, context: context)
    let code = await talk(to: shell, editor, knowledge)
    await editor?.stop()
    await market.stop()
    await transport.shutdown()
    return code
  }

  private func talk(to shell: Shell, _ editor: LineEditor?, _ knowledge: Knowledge) async -> ExitStatus {
    if sources.isEmpty, let editor, !manner.checksOnly {
      return await Conversation(
        shell, editor: editor, knowledge: knowledge, greeting: Greeting(home),
        tips: Tips { Int.random(in: 0..<max(1, $0)) }
      ).run()
    }
    return await ScriptSources(sources.isEmpty ? [.file("-")] : sources, manner).run(on: shell)
  }

  /// Opens the embedded market behind the prompt. The prompt comes first: both want the same processor.
  private func openEarly(_ market: DemoMarket, _ session: Session) {
    let edition = session.place.edition?.value ?? .open
    Task.detached(priority: .utility) {
      if sources.isEmpty { try await Task.sleep(for: .milliseconds(25)) }
      _ = try await market.address(edition)
    }
  }
}
