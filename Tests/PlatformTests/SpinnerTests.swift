import Foundation
import Networking
import Synchronization
import Testing
import Text

@testable import Platform
@testable import Shell

/// The spinner: after 200 ms, on a terminal only, and cleared before other output.
@Suite struct SpinnerTests {
  /// A clock that the test controls.
  private actor Time {
    private var sleepers: [CheckedContinuation<Void, any Error>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []
    private(set) var asked: [Duration] = []

    func sleep(_ duration: Duration) async throws {
      asked.append(duration)
      try await withCheckedThrowingContinuation { continuation in
        sleepers.append(continuation)
        for watcher in watchers { watcher.resume() }
        watchers = []
      }
      if Task.isCancelled { throw CancellationError() }
    }

    func untilSomeoneSleeps() async {
      if sleepers.isEmpty { await withCheckedContinuation { watchers.append($0) } }
    }

    func tick() {
      for sleeper in sleepers { sleeper.resume() }
      sleepers = []
    }
  }

  private final class Screen: Console {
    let outputIsTerminal = true
    let errorIsTerminal: Bool
    let width: Int? = 80
    private let turned = Mutex<[String?]>([])
    var frames: [String?] { turned.withLock { $0 } }

    init(isTerminal: Bool) { errorIsTerminal = isTerminal }

    func writeOutput(_ text: String) {}
    func writeMessage(_ text: String) {}
    func showSpinner(_ frame: String?) { turned.withLock { $0.append(frame) } }
  }

  @Test(arguments: [(false, "⠋", "⠙"), (true, "|", "/")])
  func spinnerAppearsAfter200Milliseconds(plain: Bool, first: String, second: String) async throws {
    let (time, screen) = (Time(), Screen(isTerminal: true))
    let spinner = Spinner(screen) { try await time.sleep($0) }
    spinner.enable(plain: plain)
    await spinner.whileWaiting {
      await time.untilSomeoneSleeps()
      #expect(screen.frames == [])
      for count in 1...2 {
        await time.tick()
        await time.untilSomeoneSleeps()
        #expect(screen.frames.count == count)
      }
    }
    #expect(screen.frames == [first, second, nil])
    #expect(await time.asked == [.milliseconds(200), .milliseconds(80), .milliseconds(80)])
    await time.tick()
    spinner.disable()
    #expect(screen.frames == [first, second, nil])
  }

  /// Work that sends nothing is said after half a second; a request in it is shown instead, and then the work again.
  @Test func localWorkIsShownAfterHalfASecond() async throws {
    let (time, screen) = (Time(), Screen(isTerminal: true))
    let spinner = Spinner(screen) { try await time.sleep($0) }
    spinner.enable(plain: true, label: "waiting", work: "working")
    await time.untilSomeoneSleeps()
    #expect(await time.asked == [.milliseconds(500)])
    #expect(screen.frames == [])
    for frames in [["| working"], ["| working", "/ working"]] {
      await time.tick()
      await time.untilSomeoneSleeps()
      #expect(screen.frames == frames)
    }
    // A question has the row.
    await spinner.hidden {
      await time.tick()
      await time.untilSomeoneSleeps()
    }
    #expect(screen.frames == ["| working", "/ working", nil])
    await time.tick()
    await time.untilSomeoneSleeps()
    #expect(screen.frames.last == "\\ working")
    spinner.disable()
    await time.tick()
    #expect(screen.frames.last == .some(nil))
  }

  @Test func shortWaitShowsNothing() async throws {
    let (time, screen) = (Time(), Screen(isTerminal: true))
    let spinner = Spinner(screen) { try await time.sleep($0) }
    spinner.enable(plain: false)
    await spinner.whileWaiting { await time.untilSomeoneSleeps() }
    await time.tick()
    #expect(screen.frames.allSatisfy { $0 == nil })
  }

  @Test(arguments: [(true, false), (false, true)])
  func spinnerIsNotShownAtThePromptOrInFiles(isOpen: Bool, isTerminal: Bool) async throws {
    let (time, screen) = (Time(), Screen(isTerminal: isTerminal))
    let spinner = Spinner(screen) { try await time.sleep($0) }
    if isOpen { spinner.enable(plain: false) }
    await spinner.whileWaiting {}
    #expect(await time.asked == [])
    #expect(screen.frames == [])
  }

  /// On a terminal the row is shared: other output clears it, and a status replaces the spinner.
  @Test func outputClearsTheSpinnerRow() throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let line = StatusLine(ends[1])
    line.showSpinner("/")
    line.show("5 of 9")
    line.showSpinner("-")
    line.show(nil)
    line.withClearedLine {}
    line.showSpinner(nil)
    close(ends[1])
    let text = String(
      decoding: FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readDataToEndOfFile(), as: UTF8.self)
    #expect(text.components(separatedBy: "\r\u{1B}[K") == ["", "/", "5 of 9", "-", ""])
  }

  /// The progress of an upload is shown behind the count of the batch, in the room that the window leaves.
  @Test(arguments: [(80, "5 of 9, ↑ 512 KB / 1.4 MB"), (16, "5 of 9, ↑ 512 …"), (8, "5 of 9…")])
  func uploadIsShownBehindTheCount(_ width: Int, _ both: String) throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let line = StatusLine(ends[1])
    line.show("5 of 9")
    line.showUpload("↑ 512 KB / 1.4 MB", width: width)
    line.showUpload(nil, width: width)
    line.show(nil)
    close(ends[1])
    let text = String(
      decoding: FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readDataToEndOfFile(), as: UTF8.self)
    #expect(text.components(separatedBy: "\r\u{1B}[K") == ["", "5 of 9", both, "5 of 9", ""])
  }

  /// No frame is drawn between the clearing of the row and the output that follows.
  @Test func noFrameIsDrawnBeforeOutput() async throws {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let descriptor = fileno(file)
    let line = StatusLine(descriptor)
    await withTaskGroup { group in
      group.addTask { for frame in 0..<4000 { line.showSpinner("frame \(frame)") } }
      group.addTask {
        for number in 0..<2000 {
          line.withClearedLine { try? Descriptor.write("message \(number)\n", to: descriptor) }
        }
      }
    }
    lseek(descriptor, 0, SEEK_SET)
    let bytes = try #require(try FileHandle(fileDescriptor: descriptor).readToEnd())
    let text = String(decoding: bytes, as: UTF8.self)
    let messages = text.split(separator: "\n").map { $0.split(separator: "\r\u{1B}[K").last ?? "" }
    #expect(messages.prefix(2000) == (0..<2000).map { "message \($0)" }[...])
  }
}
