import Testing

@testable import LineEditing

struct KeyDecoderTests {
  @Test(
    arguments: [
      ("a가", [.scalar("a"), .scalar("가")]),
      ("\u{1B}[A", [.sequence(Array("\u{1B}[A".utf8))]),
      ("\u{1B}[1;5Cx", [.sequence(Array("\u{1B}[1;5C".utf8)), .scalar("x")]),
      ("\u{1B}f", [.sequence(Array("\u{1B}f".utf8))]),
      ("\u{1B}[200~a\u{1B}[Ab\tc\r\n\u{1B}[201~d", [.paste(Key.Paste(text: "a[Ab c")), .scalar("d")]),
    ] as [(String, [Key])])
  func bytesBecomeKeysHoweverTheyAreCut(text: String, keys: [Key]) {
    let bytes = Array(text.utf8)
    var whole = KeyDecoder()
    #expect(whole.decode(bytes) == keys)
    var single = KeyDecoder()
    #expect(bytes.flatMap { single.decode([$0]) } == keys)
  }

  @Test func anEscapeThatNothingFollowsIsAKey() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.waitLimit == 50)
    #expect(decoder.settle() == [.escape])
    decoder.joinsEscape = false
    #expect(decoder.decode([0x1B, 0x6B]) == [.escape, .scalar("k")])
  }

  /// Late replies of the terminal, mouse events and unbound keys insert no character.
  @Test(
    arguments: [
      "\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{7}", "\u{1B}]0;title\u{1B}\\", "\u{1B}P1+r544e=78\u{1B}\\", "\u{1B}[M !!",
      "\u{1B}[?62;4c",
      "\u{1B}[24;80R", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}X0\u{1B}\\",
    ])
  func whatIsNoKeyIsDropped(bytes: String) {
    for joinsEscape in [true, false] {
      var decoder = KeyDecoder()
      decoder.joinsEscape = joinsEscape
      let keys = (bytes + "x").utf8.flatMap { decoder.decode([$0]) }
      #expect(keys.filter { if case .sequence = $0 { false } else { true } } == [.scalar("x")])
    }
  }

  @Test func theConsolesFunctionKeysAreSequences() {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1B}[[Ax".utf8) == [.sequence(Array("\u{1B}[[A".utf8)), .scalar("x")])
    #expect(decoder.decode("\u{1B}\u{1B}[Dx".utf8) == [.escape, .sequence(Array("\u{1B}[D".utf8)), .scalar("x")])
  }

  /// A sequence interrupted by another key is dropped, but the key is not.
  @Test(arguments: ["\u{1B}[1;", "\u{1B}[", "\u{1B}O", "\u{1B}]0;tit"]) func aBrokenSequenceKeepsNoKey(start: String) {
    var decoder = KeyDecoder()
    #expect(decoder.decode((start + "\u{3}").utf8) == [.scalar("\u{3}")])
  }

  /// A paste that arrives in pieces runs nothing, wherever it is cut and however long it stalls, and its marks are not
  /// inserted.
  @Test(arguments: [60, 1_200, 5_000], [true, false]) func aPasteThatStallsRunsNothing(pause: Int32, joins: Bool) {
    let paste = Array("\u{1B}[200~show 138\rls\rrm 138 yes\r\u{1B}[201~".utf8)
    let wanted = Key.paste(Key.Paste(text: "show 138\nls\nrm 138 yes"))
    let cuts = (1..<paste.count).map { [$0] } + [Array(1..<paste.count), [1, 2], [4, 20, paste.count - 1]]
    for cut in cuts {
      let keys = Self.keys(paste, cutAt: cut, pause, joinsEscape: joins)
      #expect(keys.filter { $0 != .escape } == [wanted], "cut at \(cut)")
    }
  }

  /// A key that arrives in two pieces inserts nothing.
  @Test(
    arguments: [
      "[D", "[1~", "[1;5D", "[<0;10;5M", "[200~\u{1B}[201~", "]11;rgb:ffff/ffff/ffff\u{7}", "OD", "[24;80R", "[13;2u",
    ])
  func aSequenceThatComesLateIsNotTyped(tail: String) {
    let bytes = Array(("\u{1B}" + tail).utf8)
    for cut in 1..<bytes.count {
      let keys = Self.keys(bytes, cutAt: [cut], 60, joinsEscape: true)
      #expect(keys.allSatisfy { if case .scalar = $0 { false } else { true } }, "cut at \(cut): \(keys)")
    }
  }

  /// Esc followed by typed text.
  @Test(arguments: ["[0]", "[*].price", "Open", "[\"name\"]", "]", "[", "[-1]", "[\r"]) func keysBehindEscAreTyped(
    text: String
  ) {
    let keys = Self.keys(Array("\u{1B}\(text)x".utf8), cutAt: Array(1...text.utf8.count), 60, joinsEscape: true)
    #expect(keys == [.escape] + (text + "x").unicodeScalars.map { .scalar($0) })
  }

  /// Returns the keys decoded from bytes that arrive in pieces, `pause` milliseconds apart on a clock of the test.
  private static func keys(_ bytes: [UInt8], cutAt cuts: [Int], _ pause: Int32, joinsEscape: Bool) -> [Key] {
    var decoder = KeyDecoder()
    decoder.joinsEscape = joinsEscape
    var keys: [Key] = []
    for (start, end) in zip([0] + cuts, cuts + [bytes.count]) {
      keys += decoder.decode(bytes[start..<end])
      while (0...pause).contains(decoder.waitLimit) { keys += decoder.settle() }
    }
    return keys
  }

  /// A paste without its end mark ends with Ctrl-C.
  @Test func aPasteWithoutItsEnd() {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1B}[200~two".utf8) == [])
    #expect(decoder.waitLimit == -1)
    #expect(decoder.decode([3]) == [.scalar("\u{3}")])
    #expect(decoder.decode("x".utf8) == [.scalar("x")])
    // The rest arrives later, with line ends that are not Enter.
    #expect(decoder.decode("the rest\nof".utf8) == [])
    #expect(decoder.decode(" it\u{1B}[201~\r".utf8) == [.paste(Key.Paste(text: "the rest\nof it")), .scalar("\r")])
    #expect(decoder.decode("ls\r".utf8) == [.scalar("l"), .scalar("s"), .scalar("\r")])
  }

  /// Any bytes, cut anywhere, never trap and never produce a character that was not there, and the decoder continues
  /// after them.
  @Test func anyBytesAreSurvived() {
    var state: UInt64 = 42
    func random(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    for _ in 0..<2_000 {
      let bytes = (0..<random(40)).map { _ in
        random(3) == 0 ? Array("\u{1B}[20~1;A가".utf8)[Int(random(11))] : UInt8(random(256))
      }
      var decoder = KeyDecoder()
      for byte in bytes { _ = decoder.decode([byte]) }
      _ = decoder.decode("\u{1B}[201~".utf8)
      _ = decoder.settle()
      _ = decoder.decode([3])
      #expect(decoder.decode("~z".utf8).last == .scalar("z"))
    }
  }
}
