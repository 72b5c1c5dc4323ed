import Foundation
import ModelContextProtocol
import Networking
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(Trial.limit)) struct ProtocolServerTests {
  /// Lines that are no request of either era, with the code of the error, and the id if it is usable.
  @Test(
    arguments: [
      ("nonsense", -32_700, nil), (#"{"jsonrpc":"2.0","id":1,"method":"ping""#, -32_700, nil),
      (#"{"jsonrpc":"2.0","id":1,"method":NaN}"#, -32_700, nil), ("[]", -32_600, nil),
      (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32_600, nil), ("7", -32_600, nil),
      (#"{"id":1,"method":"ping"}"#, -32_600, "1"), (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600, "1"),
      (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600, nil),
      (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600, nil),
      (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32_600, nil), (#"{"jsonrpc":"2.0","id":1}"#, -32_600, "1"),
      (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32_600, "1"),
      (#"{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}"#, -32_602, #""a""#),
      // Without a version in the request there must have been a handshake.
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, -32_602, "1"),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
        -32_602, "1"
      ),
      (#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{\#(Client.modern)}}"#, -32_601, "1"),
      (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{\#(Client.modern)}}"#, -32_601, "1"),
      (#"{"jsonrpc":"2.0","id":1,"method":"nothing","params":{\#(Client.modern)}}"#, -32_601, "1"),
      (#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{\#(Client.modern)}}"#, -32_601, "1"),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{\#(Client.modern),"cursor":"x"}}"#, -32_602, "1"),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{\#(Client.modern),"name":"nothing"}}"#, -32_602, "1"),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{\#(Client.modern),"name":7}}"#, -32_602, "1"),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{\#(Client.modern),"name":"echo","arguments":[]}}"#,
        -32_602, "1"
      ),
      (#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{\#(Client.modern)}}"#, -32_602, "1"),
      (#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{\#(Client.modern),"name":"ask"}}"#, -32_602, "1"),
    ] as [(String, Int, String?)]) func invalidLineIsAnsweredWithAnError(_ line: String, _ code: Int, _ id: String?)
    async throws
  {
    let client = Client()
    let answer = try #require(try JSON(parsing: Data(try await client.answer(to: line).utf8)).object)
    #expect(answer["error"]?.object?["code"] == .int(code), "\(answer)")
    #expect(answer["id"]?.serialized == id)
    #expect(answer["jsonrpc"] == .string("2.0"))
    // It does not break what follows.
    #expect(try await client.request("2", "tools/list").contains("\"tools\":["))
  }

  @Test func unknownVersionIsAnsweredWithSupportedOnes() async throws {
    let answer = try await Client().answer(
      to:
        #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}"#
    )
    #expect(
      answer
        == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"This protocol version is not supported.","data":{"supported":["2026-07-28","2025-11-25","2025-06-18"],"requested":"2030-01-01"}}}"#
        + "\n")
  }

  @Test func modernResultHasTypeAndServer() async throws {
    let client = Client()
    let discovered = try await client.request("\"d\"", "server/discover")
    #expect(
      discovered.hasPrefix(
        #"{"jsonrpc":"2.0","id":"d","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"stub""#
      ))
    #expect(discovered.contains(#""capabilities":{"tools":{},"resources":{},"prompts":{}}"#))
    #expect(discovered.contains(#""ttlMs":3600000,"cacheScope":"public""#))
    let read = try await client.request("1", "resources/read", #""uri":"test://one""#)
    #expect(read.contains(#""ttlMs":0,"cacheScope":"private""#) && read.contains(#""resultType":"complete""#))
    #expect(try await client.request("2", "resources/read", #""uri":"test://two""#).contains("\"code\":-32602"))
    #expect(try await client.request("3", "resources/list").contains(#""uri":"test://one""#))
    #expect(try await client.request("4", "resources/templates/list").contains(#""uriTemplate":"test://item/{id}""#))
    #expect(try await client.request("5", "prompts/get", #""name":"ask","arguments":{"id":"7"}"#).contains("ask 7"))
  }

  /// `server/discover` before the handshake doesn't break it, and a legacy result has no members of the newer version.
  @Test(arguments: ["2025-11-25", "2025-06-18", "1999-01-01"])
  func handshakeChoosesTheVersion(_ version: String) async throws {
    let client = Client()
    _ = try await client.request("1", "server/discover")
    let answer = try await client.initialize(version)
    let chosen = version == "1999-01-01" ? "2025-11-25" : version
    #expect(answer.contains(#""protocolVersion":"\#(chosen)""#) && answer.contains(#""serverInfo":{"name":"stub""#))
    client.send(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
    #expect(
      try await client.answer(to: #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)
        == "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n")
    let tools = try await client.answer(to: #"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#)
    #expect(tools.contains("\"name\":\"echo\"") && !tools.contains("resultType") && !tools.contains("ttlMs"))
    let missing = try await client.answer(
      to: #"{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"test://two"}}"#)
    #expect(missing.contains("\"code\":-32002"))
    // A request of the newer version is answered in its form.
    #expect(try await client.request("5", "tools/list").contains("resultType"))
  }

  @Test func toolHasParametersAndHints() async throws {
    let list = try await Client().request("1", "tools/list")
    #expect(
      list.contains(
        #""inputSchema":{"type":"object","properties":{"text":{"type":"string","maxLength":10,"description":"A text."},"count":{"type":"integer","minimum":1,"maximum":3,"description":"A number."},"words":{"type":"array","items":{"type":"string","enum":["a","b"]},"maxItems":2,"description":"Words."},"flag":{"type":"boolean","description":"A flag."}},"required":["text"],"additionalProperties":false}"#
      ))
    #expect(list.contains(#""annotations":{"readOnlyHint":true,"openWorldHint":false}"#))
    #expect(
      list.contains(
        #""annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}"#))
  }

  /// Arguments that a model can mend are an error of the tool, not of the protocol.
  @Test(arguments: [
    (#"{}"#, "text is missing."), (#"{"text":null}"#, "text is missing."),
    (#"{"text":7}"#, #"text must be a string, for example \"7\"."#),
    (#"{"text":{}}"#, #"text must be a string, for example \"text\"."#),
    (#"{"text":"12345678901"}"#, "text is longer than 10 characters."),
    (#"{"text":"a","other":1}"#, "echo has no argument other."),
    (#"{"text":"a","count":4}"#, "count must be an integer from 1 to 3, for example 1."),
    (#"{"text":"a","count":"4"}"#, "count must be an integer from 1 to 3, for example 1."),
    (#"{"text":"a","count":1.5}"#, "count must be an integer from 1 to 3, for example 1."),
    (#"{"text":"a","count":"two"}"#, "count must be an integer from 1 to 3, for example 1."),
    (#"{"text":"a","words":["c"]}"#, #"words must be a list of these words: a, b; for example [\"a\",\"b\"]."#),
    (#"{"text":"a","words":"a,c"}"#, #"words must be a list of these words: a, b; for example [\"a\",\"b\"]."#),
    (#"{"text":"a","flag":"yes"}"#, "flag must be true or false, without quotation marks."),
  ]) func invalidArgumentsAreAToolError(_ arguments: String, _ problem: String) async throws {
    let client = Client()
    let answer = try await client.request("1", "tools/call", #""name":"echo","arguments":\#(arguments)"#)
    #expect(answer.contains(#""isError":true"#) && answer.contains(problem), "\(answer)")
    #expect(client.features.started.withLock { $0.isEmpty })
  }

  /// What is null counts as absent, and a text that says exactly a value of the type is read as one.
  @Test(arguments: [
    (#"{"text":"a","count":null,"words":null,"flag":null}"#, #"{"text":"a"}"#),
    (#"{"text":"a","count":"2","flag":"true"}"#, #"{"text":"a","count":2,"flag":true}"#),
    (#"{"text":"a","count":2.0,"flag":"false"}"#, #"{"text":"a","count":2.0,"flag":false}"#),
    (#"{"text":"a","words":"a, b"}"#, #"{"text":"a","words":["a","b"]}"#),
    (#"{"text":"a","words":"[\"b\"]"}"#, #"{"text":"a","words":["b"]}"#),
    (#"{"text":"7"}"#, #"{"text":"7"}"#),
  ]) func argumentsAreConvertedToTheirTypes(_ given: String, _ received: String) async throws {
    let client = Client()
    let answer = try await client.request("1", "tools/call", #""name":"echo","arguments":\#(given)"#)
    #expect(answer.contains(#""isError":false"#), "\(answer)")
    #expect(client.features.received.withLock { $0.map { JSON.object($0).serialized } } == [received])
  }

  @Test(arguments: [
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#, #""result":{}"#),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}"#, #""tools":["#),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":null}}"#, #""tools":["#),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":""}}"#, #""tools":["#),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":null}}"#, #""tools":["#),
    (#"{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":null}}"#, #""resources":["#),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"resources/templates/list","params":{"cursor":null}}"#,
      #""resourceTemplates":["#
    ),
    (#"{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":null}}"#, #""prompts":["#),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rows","arguments":null}}"#, #""isError":false"#
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"ask","arguments":{"id":"7","other":null}}}"#,
      "ask 7"
    ),
    (
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":null,"progressToken":null}}}"#,
      #""tools":["#
    ),
  ]) func nullCountsAsAbsent(_ line: String, _ part: String) async throws {
    let client = Client()
    _ = try await client.initialize()
    let answer = try await client.answer(to: line)
    #expect(answer.contains(part) && !answer.contains("\"error\""), "\(answer)")
  }

  /// Nothing that ends a line, moves the cursor or changes the direction of a text is sent back as it came.
  @Test(arguments: [
    "\u{2028}", "\u{2029}", "\u{202E}", "\u{2066}", "\u{85}", "\u{9B}", "\u{1B}", "\u{FEFF}", "\u{E0041}",
  ])
  func echoedTextIsEscaped(_ scalar: String) async throws {
    let client = Client()
    let given = JSON.string("a\(scalar)b").serialized
    let lines = [
      #""method":"\#(given.dropFirst().dropLast())","params":{\#(Client.modern)}"#,
      #""method":"tools/call","params":{\#(Client.modern),"name":\#(given)}"#,
      #""method":"tools/call","params":{\#(Client.modern),"name":"echo","arguments":{"text":\#(given)}}"#,
      #""method":"tools/call","params":{\#(Client.modern),"name":"echo","arguments":{\#(given):1}}"#,
      #""method":"tools/call","params":{\#(Client.modern),"name":"echo","arguments":{"text":\#(given),"count":9}}"#,
      #""method":"resources/read","params":{\#(Client.modern),"uri":\#(given)}"#,
      #""method":"prompts/get","params":{\#(Client.modern),"name":"ask","arguments":{\#(given):"x"}}"#,
      #""method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":\#(given),"io.modelcontextprotocol/clientCapabilities":{}}}"#,
    ]
    for line in lines {
      let answer = try await client.answer(to: #"{"jsonrpc":"2.0","id":\#(given),\#(line)}"#)
      #expect(!answer.unicodeScalars.contains(scalar.unicodeScalars.first!), "\(line)")
      #expect(answer.unicodeScalars.filter { $0 == "\n" }.count == 1)
      // The identifier is repeated exactly.
      #expect(try JSON(parsing: Data(answer.utf8)).object?["id"] == .string("a\(scalar)b"))
    }
  }

  @Test func structuredContentEqualsText() async throws {
    let answer = try await Client().request("1", "tools/call", #""name":"echo","arguments":{"text":"a\"ㄱ"}"#)
    let result = try #require(try JSON(parsing: Data(answer.utf8)).object?["result"]?.object)
    let text = result["content"]?.array?.first?.object?["text"]
    #expect(text == .string(try #require(result["structuredContent"]).serialized))
    #expect(result["isError"] == .bool(false))
  }

  @Test func responsesRevealNoSecret() async throws {
    let client = Client()
    #expect(try await client.request("1", "tools/call", #""name":"fail""#).contains(#""code\":\"failed\""#))
    let echoed = try await client.request("2", "tools/call", #""name":"echo","arguments":{"text":"hunter2"}"#)
    #expect(echoed.contains("•••") && !echoed.contains("hunter2"))
    #expect(!(try await client.request("3", "tools/call", #""name":"hunter2""#)).contains("hunter2"))
  }

  /// Rows are dropped from the end, and the result says so and how to go on.
  @Test(arguments: [4_096, 8_192, 65_536]) func resultIsShortenedToTheLineLimit(_ limit: Int) async throws {
    let client = Client(maximumBytes: limit)
    let rows = try await client.request("1", "tools/call", #""name":"rows""#)
    #expect(rows.utf8.count <= limit)
    let content = try #require(
      try JSON(parsing: Data(rows.utf8)).object?["result"]?.object?["structuredContent"]?.object)
    let count = try #require(content["rows"]?.array?.count)
    #expect(content["returned"] == .int(count) && count > 10)
    #expect(content["truncated"] == .bool(count < 500))
    #expect(content["next"] == (count < 500 ? .string("after \(count)") : .null))
    let long = try await client.request("2", "tools/call", #""name":"long""#)
    #expect(long.utf8.count <= limit && long.contains("too-large"))
    let read = try await client.request("3", "resources/read", #""uri":"test://one""#)
    #expect(read.utf8.count <= limit && read.contains("(truncated)"))
  }

  @Test func tooLongLineIsSkipped() async throws {
    let client = Client()
    client.sendTooLong()
    #expect(client.lines.first?.contains("-32600") == true)
    var splitter = LineSplitter()
    let long = [UInt8](repeating: 0x61, count: LineSplitter.maximumLength + 1)
    #expect(splitter.add(long).isEmpty)
    #expect(splitter.add(Array("more\n{\"a\"".utf8)) == [.tooLong])
    #expect(splitter.add(Array(":1}\r\n\n  \nlast".utf8)) == [.text(Data("{\"a\":1}\r".utf8))])
    #expect(splitter.finish() == [.text(Data("last".utf8))])
  }

  /// Nothing is sent for a cancelled request, and progress never follows an answer.
  @Test func cancelledRequestIsNotAnswered() async throws {
    let client = Client()
    let meta = Client.modern.dropLast() + #","progressToken":"p"}"#
    let progress = try await client.answer(
      to: #"{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{\#(meta),"name":"wait"}}"#)
    #expect(
      progress
        == #"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":3,"message":"step 1"}}"#
        + "\n")
    // The same id can't be used twice at a time.
    #expect(try await client.request("\"w\"", "tools/call", #""name":"wait""#).contains("-32600"))
    client.send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unknown"}}"#)
    client.send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}"#)
    try await Waiting.until("the cancellation") { client.features.cancelled.withLock { $0 } == 1 }
    let before = client.lines.count
    #expect(try await client.request("1", "tools/list").contains("\"id\":1"))
    #expect(client.lines.count == before + 1)
  }

  /// Requests run side by side, and the end cancels those in flight without an answer.
  @Test func endOfInputCancelsRequestsInFlight() async throws {
    let client = Client()
    for id in 1...5 {
      client.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{\#(Client.modern),"name":"wait"}}"#)
    }
    #expect(
      try await client.request("9", "tools/call", #""name":"echo","arguments":{"text":"x"}"#).contains("\"id\":9"))
    try await Waiting.until("all to start") { client.features.started.withLock { $0.count } == 6 }
    client.end()
    try await Waiting.until("all to end") { client.features.cancelled.withLock { $0 } == 5 }
    #expect(client.lines.count == 1)
  }
}
