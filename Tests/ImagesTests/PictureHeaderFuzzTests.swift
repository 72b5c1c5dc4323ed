import Foundation
import TestSupport
import Testing

@testable import Images

/// Mutated pictures are read or refused: no size, offset or count in a header ends the program.
///
/// Each reader runs in a process of its own, so that its peak memory is measured separately and a trap is a failure.
@Suite(.timeLimit(Trial.limit)) struct PictureHeaderFuzzTests {
  enum Reader: String, CaseIterable, Codable, Sendable {
    case jpeg, png
    /// The metadata of a WebP, which is read without its library.
    case webP
    /// An EXIF block of its own, so that mutations meet its offsets and counts.
    case exif
  }

  @Test(.computesLong, arguments: Reader.allCases) func mutatedPictureIsReadOrRefused(_ reader: Reader) async {
    let (seed, count) = (Trial.seed, Trial.count(1_000, long: 1_000_000, variable: "OPENMARKET_FUZZ_ROUNDS"))
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent], "seed \(seed)"
    ) {
      [reader = reader as Reader, seed = seed as UInt64, count = count as Int] in
      try reader.fuzzer.runAlone(reader.rawValue, count, seed: seed) { bytes, _ in reader.reads(bytes) }
    }
    // What the process of a test prints goes nowhere by itself.
    Trial.printInLongRun(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self))
  }

  /// The unmodified samples are read, and some mutated ones; otherwise the fuzzer would only reach the first check.
  @Test(arguments: Reader.allCases) func unmodifiedSamplesAreRead(_ reader: Reader) throws {
    for sample in reader.fuzzer.samples { #expect(reader.reads(sample)) }
    let read = try reader.fuzzer.run(reader.rawValue, 300, seed: 7) { bytes, _ in reader.reads(bytes) }
    #expect((5..<300).contains(read), "\(read) of 300")
  }
}

extension PictureHeaderFuzzTests.Reader {
  /// Reads the metadata and returns whether they are accepted.
  fileprivate func reads(_ bytes: [UInt8]) -> Bool {
    let data = Data(bytes)
    switch self {
    case .jpeg, .png: return (try? PictureHeader.read(data)) != nil
    case .webP: return WebPDecoder.exif(data)?.orientation != nil
    case .exif:
      let metadata = EXIFMetadata(ByteView(data))
      return metadata.orientation != nil || metadata.hasPosition
    }
  }

  fileprivate var fuzzer: MutatingFuzzer {
    let blocks = CraftedExif.Place.allCases.flatMap { place in
      [true, false].map { CraftedExif(orientation: 6, place: place, isBigEndian: $0) }
    }
    let words = [
      "\u{0}\u{0}\u{0}\u{1}", "\u{7F}\u{7F}\u{7F}\u{7F}", "Exif\u{0}\u{0}", "MM\u{0}*\u{0}\u{0}\u{0}\u{8}", "II*\u{0}",
      "eXIf", "iTXt", "EXIF", "XML:com.adobe.xmp\u{0}",
    ]
    let samples: [[UInt8]] =
      switch self {
      case .jpeg: blocks.map { Array($0.inserted(into: Samples.gray)) } + [Array(ProgressiveJPEG(scanCount: 3).bytes)]
      case .png:
        blocks.map { block in
          var crafted = CraftedPNG(width: 2, height: 1, colour: 0, rows: [0, 1, 2])
          crafted.chunks = [("eXIf", block.bytes)]
          return Array(crafted.bytes)
        }
      case .webP:
        blocks.map { block in
          let body = block.bytes
          let size = [body.count & 255, body.count >> 8, 0, 0].map { UInt8($0) }
          let flags: [UInt8] = [10, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 1, 0, 0]
          let chunks = Array("WEBPVP8X".utf8) + flags + Array("EXIF".utf8) + size + body
          return Array("RIFF".utf8) + [UInt8(chunks.count & 255), UInt8(chunks.count >> 8), 0, 0] + chunks
        }
      case .exif: blocks.map(\.bytes)
      }
    return MutatingFuzzer(bytes: samples, words: words)
  }
}
