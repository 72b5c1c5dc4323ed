/// A home, a server with one product, and runs of the program with both.
struct ScriptedHome {
  let folder: TemporaryHome
  let server: RecordingServer

  init() throws {
    folder = try TemporaryHome()
    server = try RecordingServer(SmallMarket.answer)
  }

  func run(_ arguments: String..., input: String = "") throws -> PipedProgram.Result {
    try openmarket(
      ["--url", server.url, "--api", "open", "--home", folder.path + "/home"] + arguments, input: input,
      environment: SmallMarket.vendor)
  }
}
