import Foundation
import ShellTesting
import TestSupport
import Testing

/// Files are found whatever normalization form their names have.
@Suite(.timeLimit(Trial.limit)) struct FilesTests {
  /// A file is found by its name in the other normalization form, as macOS writes it.
  @Test func fileIsFoundInTheOtherNormalizationForm() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      let (typed, stored) = ("가격표", "가격표".decomposedStringWithCanonicalMapping)
      #expect(Array(typed.utf8) != Array(stored.utf8))
      try FileManager.default.createDirectory(atPath: sandbox.folder + "/" + stored, withIntermediateDirectories: true)
      try sandbox.writeFile(stored + "/" + stored + ".csv", "id,stock\n138,7\n")
      try sandbox.writeFile(stored + "/" + stored + ".txt", "설명이 충분히 깁니다")
      try FileManager.default.copyItem(
        atPath: sandbox.folder + "/cup.png", toPath: sandbox.folder + "/" + stored + "/사진.png")
      #expect(await sandbox.run("dry import ~/\(typed)/\(typed).csv").contains("stock 25 -> 7"))
      #expect(await sandbox.run("dry patch 138 description=@~/\(typed)/\(typed).txt").contains("설명이 충분히 깁니다"))
      let decomposed = "사진".decomposedStringWithCanonicalMapping
      let new = await sandbox.run(
        "dry new name='새 상품' description='설명이 충분히 깁니다' price=1 currency=KRW images=~/\(typed)/\(decomposed).png")
      #expect(new.contains("create 새 상품"), "\(new)")
      _ = await sandbox.run("pull ~/\(typed) 138")
      _ = await sandbox.run("show 138 to ~/\(typed)/\(typed).csv replace")
      let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
      #expect(names.count { $0 == typed } == 1, "\(names)")
      let inside = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder + "/" + stored)
      #expect(inside.count { $0 == typed + ".csv" } == 1 && inside.contains("products"), "\(inside)")
    }
  }
}
