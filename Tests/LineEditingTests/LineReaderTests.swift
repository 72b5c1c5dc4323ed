import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// Terminals that only print, other locales, and no terminal at all.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct LineReaderTests {
  @Test(arguments: ["dumb", nil] as [String?])
  func dumbTerminalGetsNoEscapeSequence(name: String?) throws {
    let program = try probe(["--styled", "--colors", "--right"], environment: ["TERM": name], prompt: "shop 가게>")
    try program.type("list 가나\u{7F}\n")
    try program.expect("shop 가게> list 가\nline <list 가>\nshop 가게>")
    try program.type("abc\u{3}")
    try program.wait { $0.screen.text.hasSuffix("interrupted\nshop 가게>") }
    try program.type("say \"a\nb\"\n")
    try program.wait { $0.screen.text.hasSuffix("line <say \"a⏎b\">\nshop 가게>") }
    try program.type("secret\n")
    try program.expectRow("secret:")
    try program.type("hush\n")
    try program.wait { $0.screen.text.hasSuffix("secret:\nline <hush>\nshop 가게>") }
    try program.type("\u{4}")
    #expect(try program.exitCode() == 0)
    #expect(!program.output.contains(0x1B))
  }

  @Test(arguments: ["xterm-nobody-knows", "st-256color", "contour", "konsole-256color"])
  func unknownTerminalCanEdit(name: String) throws {
    let program = try probe(environment: ["TERM": name])
    try program.type("abc\u{1}X\r")
    try program.expect("> Xabc\nline <Xabc>\n>")
  }

  @Test(arguments: ["C", "POSIX", "", "xx_YY", nil] as [String?])
  func textArrivesAsTypedInAnyLocale(locale: String?) throws {
    let program = try probe(["--styled"], environment: ["LC_ALL": locale], prompt: "shop 가게>")
    try program.type("café 가격\r")
    try program.expect("shop 가게> café 가격\nline <café 가격>\nshop 가게>")
  }

  @Test(arguments: [
    ("", ""), ("a\nb\n", "line <a>\nline <b>\n"), ("a\r\nb", "line <a>\nline <b>\n"),
    ("\u{FEFF}a\n\n", "line <a>\nline <>\n"),
  ])
  func pipedLinesAreRead(text: String, output: String) throws {
    #expect(try piped(Data(text.utf8)) == output)
  }

  @Test func invalidPipedLinesAreRefused() throws {
    let long = Data(repeating: 0x78, count: 65_537) + Data("\n".utf8)
    let most = Data(repeating: 0x78, count: 65_536) + Data("\r\n".utf8)
    let text = long + most + Data([0x61, 0xFF, 0x0A, 0x61, 0, 0x0A]) + Data("ok".utf8)
    #expect(try piped(text) == "tooLong\nline of 65536\ninvalidUTF8\ninvalidUTF8\nline <ok>\n")
  }

  @Test func manyPipedLinesAreRead() throws {
    let lines = (1...100_000).map { "line \($0)\n" }.joined()
    var output = ""
    for number in 1...100_000 { output += "line <line \(number)>\n" }
    #expect(try piped(Data(lines.utf8)) == output)
  }

  private func piped(_ input: Data) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "piped-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try input.write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: builtProgram("EditorProbe"))
    process.arguments = ["--plain"]
    process.standardInput = try FileHandle(forReadingFrom: file)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
