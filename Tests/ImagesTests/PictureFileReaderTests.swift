import Foundation
import Images
import Testing

@Suite struct PictureFileReaderTests {
  @Test func `Files are read, also through links and without a known size`() throws {
    try withFolder { folder in
      try Samples.gray.write(to: folder.appending(path: "커피.jpg"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: "link").path, withDestinationPath: "커피.jpg")
      #expect(try PictureFileReader.read(path: folder.appending(path: "커피.jpg").path) == Samples.gray)
      #expect(try PictureFileReader.read(path: folder.appending(path: "link").path) == Samples.gray)
      #expect(try !PictureFileReader.read(path: "/proc/self/status").isEmpty)
    }
  }

  @Test func `Whatever is no regular file is refused without blocking`() throws {
    try withFolder { folder in
      let pipe = folder.appending(path: "pipe").path
      #expect(mkfifo(pipe, 0o600) == 0)
      for (path, kind) in [(folder.path, FileKind.directory), (pipe, .pipe), ("/dev/zero", .characterDevice)] {
        #expect(throws: PictureError.notARegularFile(path: path, kind: kind)) { try PictureFileReader.read(path: path) }
      }
    }
  }

  @Test func `A missing file is reported as missing`() {
    for path in ["/nowhere/cup.jpg", "", "/etc/hostname\0.jpg"] {
      #expect(throws: PictureError.notFound(path: path)) { try PictureFileReader.read(path: path) }
    }
    let path = "/etc/passwd/cup.jpg"
    #expect(throws: PictureError.unreadable(path: path, reason: "Not a directory")) {
      try PictureFileReader.read(path: path)
    }
  }

  @Test func `Twenty mebibytes are read, one byte more is not`() throws {
    try withFolder { folder in
      let path = folder.appending(path: "large").path
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      #expect(truncate(path, PictureFileReader.maximumBytes) == 0)
      let bytes = try PictureFileReader.read(path: path)
      #expect(bytes.count == PictureFileReader.maximumBytes)
      #expect(truncate(path, PictureFileReader.maximumBytes + 1) == 0)
      #expect(
        throws: PictureError.tooLarge(bytes: PictureFileReader.maximumBytes + 1, limit: PictureFileReader.maximumBytes)
      ) {
        try PictureFileReader.read(path: path)
      }
    }
  }

  private func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }
}
