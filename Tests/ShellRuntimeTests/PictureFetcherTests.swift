import Catalog
import Foundation
import Images
import MarketAPI
import Networking
import Platform
import Presentation
import ServerTesting
import ShellTesting
import Synchronization
import TestSupport
import Testing
import Text

@testable import MarketOperations
@testable import Shell
@testable import ShellRuntime

/// Pictures in the terminal: where they are shown, and what is fetched, cached and rejected.
@Suite(.timeLimit(Trial.limit)) struct PictureFetcherTests {
  private static let colours = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]

  @Test func showDrawsItsPictureOnATerminalOnly() async throws {
    try await Sandbox.with(
      width: 80, environment: PictureFetcherTests.colours, adjusting: { $0.network.images.timeout = .seconds(60) }
    ) { sandbox in
      let shown = await sandbox.run("show 138")
      #expect(shown.hasPrefix("\u{1B}[") && (shown.contains("▄") || shown.contains("▀")))
      // The picture is counted in its field, and has a caption only if it has a successor.
      #expect(shown.matches(of: #/1/1/#).count == 1, "\(shown)")
      for line in ["show 138 as json", "show 138 name", "set pictures off; show 138", "set colors off; show 138"] {
        let text = await sandbox.run(line)
        #expect(!text.contains("▄") && !text.contains("▀"), "\(line): \(text)")
      }
    }
    try await Sandbox.with { sandbox in
      let text = await sandbox.run("show 138")
      #expect(text.contains("138") && !text.contains("▀") && !text.contains("▄") && !text.contains("\u{1B}"), "\(text)")
    }
  }

  /// The card of a product and its picture fit 80 columns and 24 rows together with the input line and the next prompt.
  @Test(arguments: MessageLanguage.allCases)
  func cardWithPictureFitsASmallTerminal(_ language: MessageLanguage) async throws {
    try await Sandbox.with(
      width: 80, environment: PictureFetcherTests.colours, adjusting: { $0.network.images.timeout = .seconds(60) }
    ) { sandbox in
      _ = await sandbox.run("set lang \(language.rawValue) here")
      let text = await sandbox.run("show 138").replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
      let lines = text.split(separator: "\n")
      #expect(lines.count <= 22, "\(text)")
      #expect(lines.allSatisfy { WidthMeasurer().of(String($0)) <= 80 }, "\(text)")
      #expect(lines.count { $0.contains("▄") || $0.contains("▀") } >= 4, "\(text)")
      #expect(lines.contains { $0.contains("먹색 요리책") }, "\(text)")
    }
  }

  @Test func gridIsAligned() async throws {
    try await Sandbox.with(
      width: 100, environment: PictureFetcherTests.colours, adjusting: { $0.network.images.timeout = .seconds(60) }
    ) { sandbox in
      let text = await sandbox.run("ls grid size 6")
      let lines = text.split(separator: "\n").map { String($0).replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }
      let rows = lines.filter { $0.hasPrefix("│") || $0.hasPrefix("┌") || $0.hasPrefix("└") }
      #expect(rows.count == 2 * (7 + 4 + 2))
      #expect(Set(rows.map { places(of: "│", $0) }).subtracting([[]]).count == 1)
      let blocks: [Character] = ["▄", "▀"]
      #expect(blocks.contains { text.contains($0) })
    }
  }

  /// If everything fits on the screen, the cards are printed first, and each picture is drawn into its place.
  @Test func gridTextIsPrintedBeforeItsPictures() async throws {
    let tall = BufferConsole(isTerminal: true, width: 100, height: 60)
    try await Sandbox.with(
      width: 100, environment: PictureFetcherTests.colours,
      adjusting: { (context: inout CommandContext) in
        context.network.images.timeout = .seconds(60)
        context.program.console = tall
      }
    ) { sandbox in
      _ = await sandbox.shell.run("ls grid size 6")
      let text = tall.take()
      let parts = text.split(separator: #/(?=\u{1B}\[\d+A)/#)
      let first = try #require(parts.first)
      #expect(first.contains("└") && !first.contains("▄") && !first.contains("▀"))
      #expect(parts.count > 6)
      var screen = first.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      for part in parts.dropFirst() {
        let stroke = try #require(part.wholeMatch(of: #/(?s)\u{1B}\[(\d+)A\r(.*)\u{1B}\[(\d+)B\r/#))
        #expect(stroke.1 == stroke.3)
        screen[screen.count - 1 - (Int(stroke.1) ?? 0)] = String(stroke.2)
      }
      let rows = screen.map { $0.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }.filter { "│┌└".contains($0.first ?? " ") }
      #expect(rows.count == 2 * (7 + 4 + 2))
      #expect(Set(rows.map { places(of: "│", $0) }).subtracting([[]]).count == 1)
      #expect(rows.contains { $0.contains("▄") || $0.contains("▀") })
    }
  }

  /// The text of a grid is printed without waiting for slow pictures.
  ///
  /// The pictures of the next page are prefetched.
  @Test func gridTextDoesNotWaitForPictures() async throws {
    let tall = BufferConsole(isTerminal: true, width: 100, height: 60)
    let slow = SlowPictures()
    var shelf: PictureCache?
    try await Sandbox.with(
      width: 100, environment: PictureFetcherTests.colours, between: { door, _ in slow.behind(door) },
      adjusting: {
        $0.network.images.timeout = .seconds(600)
        $0.program.console = tall
        shelf = $0.network.images.cache
      }
    ) { sandbox in
      async let done = sandbox.shell.run("ls grid size 6")
      var text = ""
      try await Waiting.until("the text of the grid") {
        text += tall.take()
        return text.contains("└")
      }
      #expect(slow.sent == 0 && !text.contains("▄") && !text.contains("▀"))
      try await Waiting.until("a request for a picture") { slow.waiting > 0 }
      slow.open()
      #expect(await done == .success)
      let pictures = tall.take()
      #expect(pictures.contains("▄") || pictures.contains("▀"))
      let first = slow.sent
      #expect((1...6).contains(first))

      await sandbox.shell.readAhead()
      try await Waiting.until("the pictures of the next page") { slow.sent > first && slow.waiting == 0 }
      // The response isn't enough: a picture must be cached before it is used.
      try await Waiting.until("the last of them") { await shelf?.stored.count ?? 0 >= first + 6 }
      let ahead = slow.sent
      #expect(await sandbox.shell.run("next") == .success)
      #expect(slow.sent == ahead)
      let second = tall.take()
      #expect(second.contains("▄") || second.contains("▀"))
    }
  }

  /// A transport that holds requests for pictures until it is opened, and counts those that were sent.
  private final class SlowPictures: Sendable {
    private struct State {
      var isOpen = false
      var waiting: [CheckedContinuation<Void, Never>] = []
      var sent = 0
    }

    private let state = Mutex(State())
    var waiting: Int { state.withLock { $0.waiting.count } }
    var sent: Int { state.withLock { $0.sent } }

    func open() {
      let all = state.withLock { state in
        defer { state.waiting = [] }
        state.isOpen = true
        return state.waiting
      }
      for one in all { one.resume() }
    }

    private func pass() async {
      await withCheckedContinuation { one in
        let isOpen = state.withLock { state in
          if !state.isOpen { state.waiting.append(one) }
          return state.isOpen
        }
        if isOpen { one.resume() }
      }
    }

    private struct Door: Transport {
      let base: any Transport
      let pictures: SlowPictures
      func send(_ request: Request, to address: URL, with options: SendOptions) async throws -> Response {
        let isPicture = request.path.last?.hasSuffix(".jpg") == true || request.path.last?.hasSuffix(".png") == true
        guard isPicture else { return try await base.send(request, to: address, with: options) }
        await pictures.pass()
        let reply = try await base.send(request, to: address, with: options)
        pictures.state.withLock { $0.sent += 1 }
        return reply
      }
    }

    func behind(_ base: any Transport) -> any Transport { Door(base: base, pictures: self) }
  }

  /// Returns the number of cells before each occurrence of a character, with wide characters counted twice.
  private func places(of mark: Character, _ line: String) -> [Int] {
    var (column, found): (Int, [Int]) = (0, [])
    for scalar in line.unicodeScalars {
      if Character(scalar) == mark { found.append(column) }
      column += (0x1100...0xFFFF).contains(scalar.value) && !(0x2000...0x2E7F).contains(scalar.value) ? 2 : 1
    }
    return found
  }

  @Test func imageIsDataInAPipeAndAFileWithTo() async throws {
    try await Sandbox.with { sandbox in
      let data = await sandbox.run("image 138 as json")
      #expect(data.hasPrefix(#"{"product":138,"n":1,"of":1,"url":"http://market/"#), "\(data)")
      #expect(data.contains(#""type":"image/jpeg","width":"#) || data.contains(#""type":"image/png","width":"#))
      let saved = await sandbox.run("image _ to HOME/picture.jpg".replacing("HOME", with: sandbox.folder))
      #expect(saved.contains("to HOME/picture.jpg"), "\(saved)")
      let file = try Data(contentsOf: URL(fileURLWithPath: sandbox.folder + "/picture.jpg"))
      let header = try PictureHeader.read(file)
      #expect(data.contains("\"width\":\(header.width),\"height\":\(header.height),\"bytes\":\(file.count)"))
      // A program gets the same bytes, and the properties only with a format.
      #expect(await sandbox.run("image 138 | cmp - \(sandbox.folder)/picture.jpg") == "")
      #expect(await sandbox.run("image 138 | exit 3").contains("The program exited with status 3."))
      #expect(await sandbox.run("image 138 as json | grep -q width") == "")
      #expect(await sandbox.run("image 138-139 | cat").hasSuffix("= 2\n"))
      #expect(await sandbox.run("image 138 4").hasSuffix("= 1\n"))
      #expect(await sandbox.run("image 138-139 to x.jpg").hasSuffix("= 2\n"))
    }
  }

  @Test(arguments: ["\u{1B}]0;title\u{7}", "<html>", "\u{FFD8}"])
  func invalidPictureIsAPlaceholder(_ body: String) async throws {
    let server = try await TinyServer(
      always: .say("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body))
    let broken = BrokenPictures(url: server.url)
    try await Sandbox.with(
      width: 80, environment: PictureFetcherTests.colours, between: { door, _ in broken.behind(door) }
    ) {
      let text = await $0.run("show 138")
      #expect(text.contains("(cannot display this image)"))
      #expect(text.contains("먹색 요리책"))
      #expect(await $0.run("image 138").hasSuffix("= 1\n"))
      #expect(await $0.run("ls grid size 3").contains("└"))
    }
    await server.stop()
  }

  /// A picture of 20 megapixels in 33 bytes is saved and described, and never decoded.
  @Test func tooLargePictureIsSavedButNotDecoded() async throws {
    try await Sandbox.with(
      width: 80, environment: PictureFetcherTests.colours, between: { door, _ in Vast(base: door) }
    ) { sandbox in
      #expect(await sandbox.run("show 138").contains("(cannot display this image)"))
      let refused = await sandbox.run("image 138")
      #expect(refused.contains("16 megapixels") && refused.hasSuffix("= 1\n"), "\(refused)")
      let told = await sandbox.run("image 138 as json")
      #expect(told.contains("5000") && told.contains("4000") && !told.contains("= 1"), "\(told)")
      _ = await sandbox.run("image 138 to \(sandbox.folder)/vast.png")
      let file = try Data(contentsOf: URL(fileURLWithPath: sandbox.folder + "/vast.png"))
      #expect(file == Vast.bytes)
    }
  }

  /// A transport that responds to requests for pictures with the header of a PNG of 5000x4000 pixels.
  private struct Vast: Transport {
    static let bytes =
      Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] as [UInt8])
      + Data([0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52] as [UInt8])
      + Data([0, 0, 0x13, 0x88, 0, 0, 0x0F, 0xA0, 8, 6, 0, 0, 0, 0, 0, 0, 0] as [UInt8])

    let base: any Transport

    func send(_ request: Request, to address: URL, with options: SendOptions) async throws -> Response {
      let isPicture = request.path.last?.hasSuffix(".jpg") == true || request.path.last?.hasSuffix(".png") == true
      if isPicture { return Response(status: 200, body: Vast.bytes) }
      return try await base.send(request, to: address, with: options)
    }
  }

  /// Another market can't make the program request a local address for the picture that an undo would need.
  @Test(arguments: ["http://127.0.0.1:22/a.png", "file:///etc/passwd", "https://me:pw@shop.example/a.png"])
  func refusedAddressIsNotSavedForUndo(_ address: String) async throws {
    let transport = Counting(try ProductArt.draw(.mug, palette: 1, side: 64).png())
    let market = MarketService(try #require(URL(string: "https://shop.example")), dialect: Dialect(.open))
    let door = JournalMarketAdapter(
      client: Client(market, through: transport), freshName: { "name" }, now: { Date(timeIntervalSince1970: 0) })
    await #expect(throws: TransportError(.invalidURL(address), extent: .none)) {
      try await door.picture(at: address)
    }
    #expect(transport.count == 0)
    _ = try await door.picture(at: "https://pictures.example/a.png")
    #expect(transport.count == 1)
  }

  /// A transport that redirects requests for pictures to another server.
  private struct BrokenPictures: Sendable {
    let url: URL

    struct Door: Transport {
      let base: any Transport
      let url: URL
      func send(_ request: Request, to address: URL, with options: SendOptions) async throws -> Response {
        let isPicture = request.path.last?.hasSuffix(".jpg") == true || request.path.last?.hasSuffix(".png") == true
        return try await base.send(request, to: isPicture ? url : address, with: options)
      }
    }

    func behind(_ base: any Transport) -> any Transport { Door(base: base, url: url) }
  }

  /// A transport that counts requests and responds with one picture.
  private final class Counting: Transport {
    private let asked = Mutex(0)
    private let bytes: Data
    var count: Int { asked.withLock { $0 } }

    init(_ bytes: Data) { self.bytes = bytes }

    func send(_ request: Request, to address: URL, with options: SendOptions) async throws -> Response {
      asked.withLock { $0 += 1 }
      #expect(request.headers.isEmpty)
      return Response(status: 200, body: bytes)
    }
  }

  @Test func pictureCacheStaysWithinItsLimits() async throws {
    let folder = NSTemporaryDirectory() + "openmarket-shelf-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let bytes = try ProductArt.draw(.mug, palette: 1, side: 64).png()
    let transport = Counting(bytes)
    func url(_ number: Int) throws -> URL {
      try #require(URL(string: "https://pictures.example/a%20b/\(number).png?k=1"))
    }
    let shelf = PictureCache(folder: folder, memory: bytes.count * 3, disk: bytes.count * 6)
    for number in 1...3 {
      #expect(try await shelf.picture(at: url(number), of: nil, through: transport, deadline: .seconds(1)) == bytes)
    }
    for number in 1...3 {
      _ = try await shelf.picture(at: url(number), of: nil, through: transport, deadline: .seconds(1))
    }
    #expect(transport.count == 3)
    // Another process finds them on disk.
    let second = PictureCache(folder: folder, memory: bytes.count * 3, disk: bytes.count * 6)
    for number in 1...3 {
      _ = try await second.picture(at: url(number), of: nil, through: transport, deadline: .seconds(1))
    }
    #expect(transport.count == 3)
    for number in 4...20 {
      _ = try await second.picture(at: url(number), of: nil, through: transport, deadline: .seconds(1))
    }
    #expect(transport.count == 20)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect((1...6).contains(files.count))
    // A file with a wrong address is ignored.
    for file in files {
      try Data("https://other.example/\n".utf8 + bytes).write(to: URL(fileURLWithPath: folder + "/" + file))
    }
    let third = PictureCache(folder: folder)
    _ = try await third.picture(at: url(20), of: nil, through: transport, deadline: .seconds(1))
    #expect(transport.count == 21)
  }

  /// A market that was reset has other pictures at the same URLs.
  @Test(arguments: ["https://pictures.example/5.png", "http://127.0.0.1:8080/5.png"])
  func picturesOfAnotherGenerationAreFetched(_ address: String) async throws {
    let folder = NSTemporaryDirectory() + "openmarket-generations-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let url = try #require(URL(string: address))
    let (before, after) = (MarketGeneration("x.100-1"), MarketGeneration("x.200-2"))
    let pictures = try [1, 2].map { Counting(try ProductArt.draw(.mug, palette: $0, side: 64).png()) }
    let shelf = PictureCache(folder: folder)
    let first = try await shelf.picture(at: url, of: before, through: pictures[0])
    #expect(try await shelf.picture(at: url, of: before, through: pictures[1]) == first)
    let second = try await shelf.picture(at: url, of: after, through: pictures[1])
    #expect(second != first && pictures.map(\.count) == [1, 1])
    // Another process finds each on disk, and that of no known market nowhere.
    let other = PictureCache(folder: folder)
    let isFar = address.hasPrefix("https")
    #expect(try await other.picture(at: url, of: after, through: pictures[isFar ? 0 : 1]) == second)
    #expect(try await other.picture(at: url, of: before, through: pictures[isFar ? 1 : 0]) == first)
    #expect(pictures.map(\.count) == (isFar ? [1, 1] : [2, 2]))
    _ = try await other.picture(at: url, of: nil, through: pictures[0])
    #expect(pictures[0].count == (isFar ? 2 : 3))
  }

  @Test(arguments: [
    ("https://pictures.example/a.jpg", "https://shop.example", true),
    ("http://127.0.0.1:22/", "https://shop.example", false),
    ("http://localhost/a.jpg", "https://shop.example", false),
    ("http://192.168.0.1/a.jpg", "https://shop.example", false),
    ("http://10.1.2.3/a", "https://shop.example", false),
    ("http://169.254.169.254/latest", "https://shop.example", false),
    ("http://[::1]/a", "https://shop.example", false), ("http://2130706433/a", "https://shop.example", false),
    ("http://0x7f000001/a", "https://shop.example", false), ("file:///etc/passwd", "https://shop.example", false),
    ("ftp://shop.example/a.jpg", "https://shop.example", false),
    ("https://me:pw@shop.example/a.jpg", "https://shop.example", false),
    ("http://127.0.0.1:8080/a.jpg", "http://127.0.0.1:9090", true),
    ("http://192.168.0.9/a.jpg", "http://192.168.0.9", true),
    ("https://0177.0.0.1/a", "https://shop.example", false), ("https://012.0.0.1/a", "https://shop.example", false),
    ("https://0x7f.0.0.1/a", "https://shop.example", false), ("https://localhost./a", "https://shop.example", false),
    ("http://172.20.0.1/a", "https://shop.example", false), ("https://172.32.0.1/a", "https://shop.example", true),
  ])
  func localAddressesOfOtherMarketsAreNotRequested(address: String, market: String, isTaken: Bool) {
    #expect((PictureURLPolicy.url(address, of: URL(string: market)) != nil) == isTaken)
  }
}
