import Testing

@testable import LineEditing

struct KeyDecoderTests {
  @Test(
    arguments: [
      ("a가", [.scalar("a"), .scalar("가")]),
      ("\u{1B}[A", [.sequence(Array("\u{1B}[A".utf8))]),
      ("\u{1B}[1;5Cx", [.sequence(Array("\u{1B}[1;5C".utf8)), .scalar("x")]),
      ("\u{1B}f", [.sequence(Array("\u{1B}f".utf8))]),
      ("\u{1B}[200~a\u{1B}[Ab\tc\r\n\u{1B}[201~", [.paste(Key.Paste(text: "a[Ab c"))]),
      ("\u{1B}[200~show\0 138\u{1}\u{7F}\u{85}\u{1B}[201~", [.paste(Key.Paste(text: "show 138"))]),
      ("\u{1B}[200~\u{FEFF}show 138\r\n\u{1B}[201~", [.paste(Key.Paste(text: "show 138"))]),
    ] as [(String, [Key])])
  func keysAreDecodedWhereverBytesAreSplit(text: String, keys: [Key]) {
    let bytes = Array(text.utf8)
    var whole = KeyDecoder()
    #expect(whole.decode(bytes) == keys)
    var single = KeyDecoder()
    #expect(bytes.flatMap { single.decode([$0]) } == keys)
  }

  @Test func loneEscapeIsAKey() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.waitLimit == 50)
    #expect(decoder.endSequence() == [.escape])
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
  func terminalRepliesInsertNothing(bytes: String) {
    for joinsEscape in [true, false] {
      var decoder = KeyDecoder()
      decoder.joinsEscape = joinsEscape
      let keys = (bytes + "x").utf8.flatMap { decoder.decode([$0]) }
      #expect(keys.filter { if case .sequence = $0 { false } else { true } } == [.scalar("x")])
    }
  }

  /// Keys of kitty's protocol and of `modifyOtherKeys`, with their usual form in emacs mode; "" for no key.
  static let modified: [(String, String)] = [
    // Ctrl with letters and signs, in both forms, with locks and event types.
    ("\u{1B}[99;5u", "\u{3}"), ("\u{1B}[27;5;99~", "\u{3}"), ("\u{1B}[100;5u", "\u{4}"), ("\u{1B}[27;5;100~", "\u{4}"),
    ("\u{1B}[99;69u", "\u{3}"), ("\u{1B}[99;133u", "\u{3}"), ("\u{1B}[99;197u", "\u{3}"), ("\u{1B}[99;5:1u", "\u{3}"),
    ("\u{1B}[99;5:2u", "\u{3}"), ("\u{1B}[99;5:3u", ""), ("\u{1B}[99;6u", "\u{3}"), ("\u{1B}[67;6u", "\u{3}"),
    ("\u{1B}[12618::99;5u", "\u{3}"), ("\u{1B}[114;5u", "\u{12}"), ("\u{1B}[32;5u", "\u{0}"),
    ("\u{1B}[47;5u", "\u{1F}"),
    ("\u{1B}[45;5u", ""), ("\u{1B}[45;6u", "\u{1F}"), ("\u{1B}[95;6u", "\u{1F}"), ("\u{1B}[91;5u", "ESC"),
    ("\u{1B}[27;5;91~", "ESC"),
    // Text with Shift, Caps Lock and Num Lock, as the terminal says it or as the keyboard has it.
    ("\u{1B}[97u", "a"), ("\u{1B}[97;1u", "a"), ("\u{1B}[97;2u", "A"), ("\u{1B}[97:65;2u", "A"), ("\u{1B}[97;65u", "A"),
    ("\u{1B}[97;66u", "a"), ("\u{1B}[97;129u", "a"), ("\u{1B}[49;2u", "!"), ("\u{1B}[49:43;2u", "+"),
    ("\u{1B}[49;65u", "1"),
    ("\u{1B}[27;2;65~", "A"), ("\u{1B}[27;2;33~", "!"), ("\u{1B}[27;2;49~", "1"), ("\u{1B}[32;2u", " "),
    ("\u{1B}[97;;98u", "b"),
    ("\u{1B}[0;;44032u", "가"), ("\u{1B}[97;;44032:45208u", "가나"), ("\u{1B}[233;2u", "É"), ("\u{1B}[97;1:3u", ""),
    // Enter, Tab, Backspace, Esc.
    ("\u{1B}[13u", "\r"), ("\u{1B}[13;5u", "\r"), ("\u{1B}[13;129u", "\r"), ("\u{1B}[27;5;13~", "\r"),
    ("\u{1B}[13;2u", "\u{1B}[13;2u"), ("\u{1B}[13;66u", "\u{1B}[13;2u"), ("\u{1B}[27;2;13~", "\u{1B}[13;2u"),
    ("\u{1B}[13;3u", "\u{1B}[13;3u"), ("\u{1B}[57414u", "\r"), ("\u{1B}[9u", "\t"), ("\u{1B}[9;2u", "\u{1B}[Z"),
    ("\u{1B}[27;2;9~", "\u{1B}[Z"), ("\u{1B}[127u", "\u{7F}"), ("\u{1B}[127;2u", "\u{7F}"), ("\u{1B}[127;3u", "\u{17}"),
    ("\u{1B}[127;5u", "\u{17}"), ("\u{1B}[27;2;127~", "\u{7F}"), ("\u{1B}[27u", "ESC"), ("\u{1B}[27;129u", "ESC"),
    ("\u{1B}[27;1:3u", ""),
    // Alt and Meta.
    ("\u{1B}[102;3u", "\u{1B}f"), ("\u{1B}[102;33u", "\u{1B}f"), ("\u{1B}[27;3;102~", "\u{1B}f"),
    ("\u{1B}[46;3u", "\u{1B}."),
    ("\u{1B}[60;4u", "\u{1B}<"), ("\u{1B}[44:60;4u", "\u{1B}<"), ("\u{1B}[108;7u", "\u{1B}\u{C}"),
    // Super and Hyper have no usual form.
    ("\u{1B}[97;9u", ""), ("\u{1B}[99;13u", ""), ("\u{1B}[97;17u", ""),
    // Function keys, the keypad, and keys that are only modifiers.
    ("\u{1B}[1;129D", "\u{1B}[D"), ("\u{1B}[1;1:1D", "\u{1B}[D"), ("\u{1B}[1;1:2D", "\u{1B}[D"), ("\u{1B}[1;1:3D", ""),
    ("\u{1B}[1;5D", "\u{1B}[1;5D"), ("\u{1B}[1;133D", "\u{1B}[1;5D"), ("\u{1B}[1;65H", "\u{1B}[H"),
    ("\u{1B}[1;129P", "\u{1B}OP"),
    ("\u{1B}[3;129~", "\u{1B}[3~"), ("\u{1B}[3;5:1~", "\u{1B}[3;5~"), ("\u{1B}[5;1:3~", ""),
    ("\u{1B}[57417u", "\u{1B}[D"),
    ("\u{1B}[57419;129u", "\u{1B}[A"), ("\u{1B}[57418;5u", "\u{1B}[1;5C"), ("\u{1B}[57426u", "\u{1B}[3~"),
    ("\u{1B}[57399u", "0"),
    ("\u{1B}[57404;129u", "5"), ("\u{1B}[57413u", "+"), ("\u{1B}[57441;2u", ""), ("\u{1B}[57358u", ""),
    ("\u{1B}[57428u", ""),
    // No keys.
    ("\u{1B}[?1u", "\u{1B}[?1u"), ("\u{1B}[99999999999999999999;5u", ""), ("\u{1B}[55296u", ""), ("\u{1B}[155u", ""),
  ]

  @Test(arguments: Self.modified.indices) func modifiedKeyIsDecodedAsItsPlainForm(_ index: Int) {
    let (sequence, usual) = Self.modified[index]
    let wanted: [Key] =
      usual == "ESC"
      ? [.escape]
      : usual.hasPrefix("\u{1B}") ? [.sequence(Array(usual.utf8))] : usual.unicodeScalars.map { .scalar($0) }
    var decoder = KeyDecoder()
    #expect(decoder.decode(sequence.utf8) + decoder.decode("x".utf8) == wanted + [.scalar("x")])
    var single = KeyDecoder()
    #expect(sequence.utf8.flatMap { single.decode([$0]) } == wanted)
  }

  /// In vi mode Esc and a character are two keys.
  @Test func altInViModeIsEscapeAndTheCharacter() {
    var decoder = KeyDecoder()
    decoder.joinsEscape = false
    #expect(decoder.decode("\u{1B}[107;3u\u{1B}[99;5u".utf8) == [.escape, .scalar("k"), .scalar("\u{3}")])
  }

  @Test func modifiedControlCEndsAPaste() {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1B}[200~two".utf8) == [])
    #expect(decoder.decode("\u{1B}[99;5u".utf8) == [.scalar("\u{3}")])
    #expect(decoder.decode("x".utf8) == [.scalar("x")])
  }

  /// A reply of the terminal that arrives in pieces, 80 ms apart, inserts nothing, and the next line is typed.
  @Test(
    arguments: [
      ["\u{1B}", "]", "11;rgb:1e1e/1e1e/1e1e\u{7}"], ["\u{1B}]", "11;rgb:ffff/ffff/ffff\u{1B}\\"],
      ["\u{1B}", "]11;rgb:1e1e", "/1e1e/1e1e\u{7}"], ["\u{1B}]1", "1;rgb:1e1e/1e1e/1e1e\u{7}"],
      ["\u{1B}", "]", "1", "0", ";rgb:0/0/0\u{7}"], ["\u{1B}", "]", "52;c;bHM=\u{7}"], ["\u{1B}", "]ltitle\u{1B}\\"],
      ["\u{1B}", "P1+r544e=78\u{1B}\\"], ["\u{1B}P", "1+r544e=78\u{1B}\\"], ["\u{1B}", "P", ">|xterm(370)\u{1B}\\"],
      ["\u{1B}P", ">|xterm", "(370)\u{1B}\\"], ["\u{1B}", "_Gi=31;OK\u{1B}\\"], ["\u{1B}_", "Gi=31;OK\u{1B}\\"],
      ["\u{1B}", "_", "Gi=31;OK\u{1B}\\"], ["\u{1B}", "^text\u{1B}\\"], ["\u{1B}X", "text\u{1B}\\"],
      ["\u{1B}", "[24;80R"], ["\u{1B}[", "24;80R"], ["\u{1B}", "[", "24;80R"], ["\u{1B}", "[?62;4c"],
      ["\u{1B}", "[>41;370;0c"],
      ["\u{1B}", "[?2026;2$y"], ["\u{1B}", "[?0u"], ["\u{1B}", "[0n"], ["\u{1B}", "[8;24;80t"], ["\u{1B}", "[99;5:3u"],
    ], [true, false])
  func splitTerminalReplyIsNotTyped(pieces: [String], joins: Bool) {
    var decoder = KeyDecoder()
    decoder.joinsEscape = joins
    var keys: [Key] = []
    for piece in pieces + ["show 42\r"] {
      keys += decoder.decode(piece.utf8)
      while (0...80).contains(decoder.waitLimit) { keys += decoder.endSequence() }
    }
    let introducers = Set("]PX^_".unicodeScalars)
    let typed = keys.compactMap { if case .scalar(let scalar) = $0 { scalar } else { nil } }
    // vi has received the introducer as a command.
    let rest = joins ? typed : Array(typed.drop { introducers.contains($0) })
    #expect(String(String.UnicodeScalarView(rest)) == "show 42\r", "\(keys)")
  }

  /// Alt-] means nothing, and what is typed next is not taken for a reply.
  @Test(arguments: ["show 42\r", "ls\r", "42\r", "4", "l", "]"]) func altBracketConsumesNoFollowingKey(line: String) {
    for isInOneRead in [true, false] {
      for wait in [true, false] {
        var decoder = KeyDecoder()
        var keys = decoder.decode([0x1B, 0x5D])
        while wait, (0...80).contains(decoder.waitLimit) { keys += decoder.endSequence() }
        keys += isInOneRead ? decoder.decode(line.utf8) : line.utf8.flatMap { decoder.decode([$0]) }
        while decoder.waitLimit >= 0 { keys += decoder.endSequence() }
        let wanted: [Key] = [.sequence([0x1B, 0x5D])] + line.unicodeScalars.map { .scalar($0) }
        #expect(keys == wanted, "\(line) \(isInOneRead) \(wait)")
      }
    }
  }

  @Test func linuxConsoleFunctionKeysAreDecoded() {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1B}[[Ax".utf8) == [.sequence(Array("\u{1B}[[A".utf8)), .scalar("x")])
    #expect(decoder.decode("\u{1B}\u{1B}[Dx".utf8) == [.escape, .sequence(Array("\u{1B}[D".utf8)), .scalar("x")])
  }

  /// A sequence interrupted by another key is dropped, but the key is not.
  @Test(arguments: ["\u{1B}[1;", "\u{1B}[", "\u{1B}O", "\u{1B}]0;tit"])
  func keyAfterInterruptedSequenceIsDelivered(start: String) {
    var decoder = KeyDecoder()
    #expect(decoder.decode((start + "\u{3}").utf8) == [.scalar("\u{3}")])
  }

  /// A paste that arrives in pieces runs nothing, wherever it is cut and however long it stalls, and its marks are not
  /// inserted.
  @Test(arguments: [60, 1_200, 5_000], [true, false]) func stalledPasteRunsNothing(pause: Int32, joins: Bool) {
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
  func splitKeySequenceIsNotTyped(tail: String) {
    let bytes = Array(("\u{1B}" + tail).utf8)
    for cut in 1..<bytes.count {
      let keys = Self.keys(bytes, cutAt: [cut], 60, joinsEscape: true)
      #expect(keys.allSatisfy { if case .scalar = $0 { false } else { true } }, "cut at \(cut): \(keys)")
    }
  }

  /// A report of the focus whose `ESC` comes alone is no text; typed after Esc, its characters come one by one.
  @Test(arguments: ["[I", "[O"]) func lateReportOfTheFocusInsertsNothing(text: String) {
    #expect(Self.keys(Array("\u{1B}\(text)x".utf8), cutAt: [1, 3], 60, joinsEscape: true).last == .scalar("x"))
    #expect(!Self.keys(Array("\u{1B}\(text)".utf8), cutAt: [1], 60, joinsEscape: true).contains(.scalar("[")))
    let typed = Self.keys(Array("\u{1B}\(text)".utf8), cutAt: [1, 2], 60, joinsEscape: true)
    #expect(typed == [.escape] + text.unicodeScalars.map { .scalar($0) })
  }

  /// Esc followed by typed text.
  @Test(arguments: ["[0]", "[*].price", "Open", "[\"name\"]", "]", "[", "[-1]", "[\r"])
  func keysAfterEscapeAreTyped(text: String) {
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
      while (0...pause).contains(decoder.waitLimit) { keys += decoder.endSequence() }
    }
    return keys
  }

  /// The line end of a pasted line is removed: it does not count against the longest line.
  @Test(arguments: [("", false), ("\n", false), ("bb", true)])
  func aPasteIsTooLongIfItsTextIsLongerThanALine(end: String, isTooLong: Bool) {
    let longest = String(repeating: "a", count: LineLimit.bytes)
    var decoder = KeyDecoder()
    let keys = decoder.decode(Array("\u{1B}[200~\(longest)\(end)\u{1B}[201~".utf8))
    guard case .paste(let paste)? = keys.first else {
      Issue.record("\(keys.count) keys")
      return
    }
    #expect(keys.count == 1 && paste.isTooLong == isTooLong && paste.text.hasPrefix(longest))
  }

  /// What comes in one read with the end mark, and right after it, is pasted: a text may hold that mark itself.
  @Test(
    arguments: [
      ("\u{15}rm 138\r", "rm 138"), ("\r", nil), ("\u{1B}\r", nil), ("\u{1B}[13u", nil), ("a\u{1B}[Ab\u{F}\n", "ab"),
      ("one\rtwo\r", "one\ntwo"), ("\u{3}\u{18}\u{5}", nil),
    ] as [(String, String?)])
  func bytesBehindTheEndMarkArePasted(rest: String, text: String?) {
    let wanted = [Key.paste(Key.Paste(text: "x"))] + (text.map { [.paste(Key.Paste(text: $0))] } ?? [])
    for end in ["", "\u{1B}[201~"] {
      var decoder = KeyDecoder()
      #expect(decoder.decode(("\u{1B}[200~x\u{1B}[201~" + rest + end).utf8) == wanted, "\(rest.debugDescription)")
      // The rest of a long paste comes at once; a key comes later, or is Ctrl-C alone.
      #expect(decoder.decode("rm 1 yes\r".utf8) == [.paste(Key.Paste(text: "rm 1 yes"))])
      #expect(decoder.waitLimit == 50)
      #expect(decoder.endSequence() == [])
      #expect(decoder.decode("\r".utf8) == [.scalar("\r")])
    }
    var decoder = KeyDecoder()
    _ = decoder.decode(("\u{1B}[200~x\u{1B}[201~" + rest).utf8)
    #expect(decoder.decode([3]) == [.scalar("\u{3}")])
  }

  /// The end of a long read may be within a paste.
  @Test func markAtTheEndOfALongReadMayBePasted() {
    var decoder = KeyDecoder()
    let keys = decoder.decode(("\u{1B}[200~" + String(repeating: "x", count: 2_000) + "\u{1B}[201~").utf8)
    #expect(keys.count == 1)
    #expect(decoder.decode("\u{15}rm 1 yes\r".utf8) == [.paste(Key.Paste(text: "rm 1 yes"))])
    #expect(decoder.endSequence() == [])
    #expect(decoder.decode("\r".utf8) == [.scalar("\r")])
  }

  /// A paste without its end mark ends with Ctrl-C.
  @Test func controlCEndsAPasteWithoutEndMark() {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1B}[200~two".utf8) == [])
    #expect(decoder.waitLimit == -1)
    #expect(decoder.decode([3]) == [.scalar("\u{3}")])
    #expect(decoder.decode("x".utf8) == [.scalar("x")])
    // The rest arrives later, with line ends that are not Enter.
    #expect(decoder.decode("the rest\nof".utf8) == [])
    #expect(decoder.decode(" it\u{1B}[201~".utf8) == [.paste(Key.Paste(text: "the rest\nof it"))])
    #expect(decoder.decode("\r".utf8) == [.scalar("\r")])
    #expect(decoder.decode("ls\r".utf8) == [.scalar("l"), .scalar("s"), .scalar("\r")])
  }

  /// Any bytes, cut anywhere, never trap and never produce a character that was not there, and the decoder continues
  /// after them.
  @Test func anyBytesAreDecodedWithoutTrap() {
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
      _ = decoder.endSequence()
      _ = decoder.decode([3])
      #expect(decoder.decode("~z".utf8).last == .scalar("z"))
    }
  }
}
