import Foundation

/// Mutates samples of a file format in ways that parsers often handle wrongly: bits, numbers, quotes and brackets,
/// lines, truncation, repetition, and parts of one sample in another.
///
/// Every mutated file has a number; the seed and the number reproduce it.
package struct MutatingFuzzer: Sendable {
  /// The samples to mutate.
  package let samples: [[UInt8]]
  private let words: [[UInt8]]
  private let maximumBytes: Int

  /// Creates a fuzzer.
  ///
  /// - Parameters:
  ///   - samples: At least one valid file.
  ///   - words: Tokens of the format, inserted anywhere.
  ///   - maximumBytes: The maximum size of a file.
  package init(samples: [String], words: [String] = [], maximumBytes: Int = 65_536) {
    self.samples = samples.map { Array($0.utf8) }
    self.words = (MutatingFuzzer.odd + words).map { Array($0.utf8) }
    self.maximumBytes = maximumBytes
  }

  /// Creates a fuzzer of a binary format.
  ///
  /// - Parameters:
  ///   - bytes: At least one valid file.
  ///   - words: Tokens of the format, inserted anywhere.
  ///   - maximumBytes: The maximum size of a file.
  package init(bytes: [[UInt8]], words: [String] = [], maximumBytes: Int = 65_536) {
    samples = bytes
    self.words = (MutatingFuzzer.odd + words).map { Array($0.utf8) }
    self.maximumBytes = maximumBytes
  }

  /// Among the first files, which are all of a short run, long nestings are as frequent as short ones; later every
  /// sixteenth file may have one. Otherwise they would take most of the time of a long run.
  private static let firstFiles = 1_000
  private static let deepNesting = 16

  /// Tokens that any parser may handle wrongly.
  private static let odd = [
    "", "\0", "\n", "\r\n", "\r", "\t", " ", "\"", "'", "\\", "\\u", "\\uD800", "\\u0000", ",", ":", "=", "[", "]", "{",
    "}", "[{", "#", "-", "+", ".", "0", "-0", "1e400", "1e-400", "1E99999999999", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551616", "NaN", "null",
    "true",
    "false", "{}", "[]", "\u{FEFF}", "\u{1B}[2J",
    "\u{202E}", "가", "👩‍👩‍👧", "\u{300}", "0000-00-00T00:00:00", "99999-12-31",
  ]

  /// Returns the file with a number: a sample after one to eight mutations, a single one in half of the files.
  ///
  /// It may be invalid UTF-8.
  package func file(_ number: Int, seed: UInt64) -> [UInt8] {
    var dice = SplitMix64(seed &* 0x1_0000_0001 &+ UInt64(number))
    var bytes = samples.randomElement(using: &dice) ?? []
    let nestsDeeply = number < MutatingFuzzer.firstFiles || number.isMultiple(of: MutatingFuzzer.deepNesting)
    for _ in 0..<(Bool.random(using: &dice) ? 1 : Int.random(in: 1...8, using: &dice)) {
      change(&bytes, nestsDeeply: nestsDeeply, &dice)
    }
    return Array(bytes.prefix(maximumBytes))
  }

  /// Calls `body`, which returns whether the reader accepted the file, with `count` mutated files.
  ///
  /// Meanwhile a temporary file `openmarket-fuzz-NAME-PROCESS` contains the seed and number of the current file, and
  /// remains if the parser ends the process. A long run prints the figures.
  ///
  /// - Parameters:
  ///   - name: The name of the reader.
  ///   - count: The number of files.
  ///   - seed: The seed.
  ///   - maximumTime: The time of the processor in milliseconds that a file may take, or `nil` for any. In a short run a
  ///     slow machine must not fail the test.
  ///   - body: Reads a file with a number.
  /// - Returns: The number of files that were accepted.
  /// - Throws: The errors of `body`, and `SlowReader` for a file that takes longer.
  @discardableResult
  package func run(
    _ name: String, _ count: Int, seed: UInt64, maximumTime: Int? = Trial.isLong ? 2_000 : nil,
    _ body: ([UInt8], Int) throws -> Bool
  ) throws -> Int {
    let path = NSTemporaryDirectory() + "openmarket-fuzz-\(name)-\(getpid())"
    let note = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer {
      close(note)
      unlink(path)
    }
    let begin = MutatingFuzzer.processorTime
    var (accepted, longest, slowest, slowestNumber) = (0, 0, 0, 0)
    for number in 0..<count {
      let text = "seed \(seed) number \(number)\n"
      _ = pwrite(note, text, text.utf8.count, 0)
      let bytes = file(number, seed: seed)
      longest = max(longest, bytes.count)
      let start = MutatingFuzzer.processorTime
      if try body(bytes, number) { accepted += 1 }
      let time = MutatingFuzzer.processorTime - start
      if time > slowest { (slowest, slowestNumber) = (time, number) }
      if let maximumTime, time > maximumTime {
        throw SlowReader(name: name, seed: seed, number: number, milliseconds: time)
      }
    }
    Trial.printInLongRun(
      "\(name): \(count) inputs, \(accepted) accepted, \((MutatingFuzzer.processorTime - begin) / 1_000) s of the processor, "
        + "longest input \(longest) B, slowest \(slowest) ms (number \(slowestNumber)), "
        + "peak memory \((Trial.peakMemory ?? 0) / 1_024) MiB")
    return accepted
  }

  /// The memory in KiB by which the process of a reader may grow.
  private static let maximumGrowth = 64 * 1024
  /// The seconds after which a reader that does not end is ended, together with its process.
  private static let secondsOfAHang: UInt32 = 60

  /// Calls `body` as `run` does, in a process that does nothing else: its memory is that of the reader.
  ///
  /// A file that the reader never ends with ends the process by SIGALRM.
  ///
  /// - Throws: As `run`, and `GrowingReader`.
  package func runAlone(
    _ name: String, _ count: Int, seed: UInt64, _ body: ([UInt8], Int) throws -> Bool
  ) throws {
    let start = Trial.peakMemory ?? 0
    defer { alarm(0) }
    try run(name, count, seed: seed) { bytes, number in
      alarm(Self.secondsOfAHang)
      return try body(bytes, number)
    }
    let growth = (Trial.peakMemory ?? .max) - start
    if growth > Self.maximumGrowth { throw GrowingReader(name: name, seed: seed, kibibytes: growth) }
  }

  /// The error for a reader whose memory grows with the number of files, or by much for one.
  package struct GrowingReader: Error {
    package let name: String
    package let seed: UInt64
    package let kibibytes: Int
  }

  /// The error for a file that a reader takes too long for.
  package struct SlowReader: Error {
    package let name: String
    package let seed: UInt64
    package let number: Int
    package let milliseconds: Int
  }

  /// The processor time of this thread in milliseconds.
  private static var processorTime: Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }

  private func change(_ bytes: inout [UInt8], nestsDeeply: Bool, _ dice: inout SplitMix64) {
    guard !bytes.isEmpty else { return bytes = samples.randomElement(using: &dice) ?? [] }
    let place = Int.random(in: 0...bytes.count, using: &dice)
    let range = stretch(of: bytes, &dice)
    switch Int.random(in: 0..<12, using: &dice) {
    case 0: bytes[Int.random(in: bytes.indices, using: &dice)] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
    case 1: bytes[Int.random(in: bytes.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
    case 2, 3: bytes.insert(contentsOf: words.randomElement(using: &dice) ?? [], at: place)
    case 4: bytes.replaceSubrange(range, with: words.randomElement(using: &dice) ?? [])
    case 5: bytes.removeSubrange(range)
    case 6: bytes.insert(contentsOf: bytes[range], at: place)
    case 7: bytes.removeLast(bytes.count - place)
    case 8: nest(&bytes, at: place, isDeep: nestsDeeply, &dice)
    case 9: number(&bytes, &dice)
    case 10: line(&bytes, &dice)
    default:
      guard let other = samples.randomElement(using: &dice), !other.isEmpty else { return }
      bytes.insert(contentsOf: other[stretch(of: other, &dice)], at: place)
    }
  }

  /// Returns a range that is usually short, so that its surroundings remain valid.
  private func stretch(of bytes: [UInt8], _ dice: inout SplitMix64) -> Range<Int> {
    let start = Int.random(in: 0..<bytes.count, using: &dice)
    let longest = Bool.random(using: &dice) ? 8 : bytes.count
    return start..<min(bytes.count, start + Int.random(in: 1...longest, using: &dice))
  }

  /// Inserts many brackets, quotes or digits, for which recursion and counting must be limited.
  private func nest(_ bytes: inout [UInt8], at place: Int, isDeep: Bool, _ dice: inout SplitMix64) {
    let piece = ["[", "{\"a\":", "(", "\"", "9", "{", "\n"].randomElement(using: &dice) ?? "["
    let count = (isDeep ? [40, 600, 20_000] : [40, 600]).randomElement(using: &dice) ?? 40
    bytes.insert(contentsOf: Array(String(repeating: piece, count: count).utf8), at: place)
  }

  /// Replaces a number by another one.
  private func number(_ bytes: inout [UInt8], _ dice: inout SplitMix64) {
    let digits = bytes.indices.filter { (48...57).contains(bytes[$0]) }
    guard let start = digits.randomElement(using: &dice) else { return }
    let end = bytes[start...].firstIndex { !(48...57).contains($0) } ?? bytes.count
    let new =
      [
        "0", "-1", "00", "1e9", "0.1", "1.50000", "4294967296", "9223372036854775807", "9223372036854775808",
        String(repeating: "9", count: 400), String(UInt64.random(in: 0...UInt64.max, using: &dice)),
      ].randomElement(using: &dice) ?? "0"
    bytes.replaceSubrange(start..<end, with: Array(new.utf8))
  }

  /// Repeats, removes or moves a line.
  private func line(_ bytes: inout [UInt8], _ dice: inout SplitMix64) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
    let index = Int.random(in: lines.indices, using: &dice)
    switch Int.random(in: 0..<3, using: &dice) {
    case 0: lines.insert(lines[index], at: Int.random(in: lines.indices, using: &dice))
    case 1: lines.remove(at: index)
    default: lines.swapAt(index, Int.random(in: lines.indices, using: &dice))
    }
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }
}
