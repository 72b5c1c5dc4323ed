import Foundation
import ShellTesting
import TestSupport
import Testing

/// Files are found whatever normalization form their names have.
@Suite(.timeLimit(Trial.limit)) struct FilesTests {
  /// A file is found by its name in the other normalization form, as macOS writes it.
  @Test func fileIsFoundInTheOtherNormalizationForm() async throws {
    try await House.visit { house in
      try house.bringPictures()
      let (typed, stored) = ("가격표", "가격표".decomposedStringWithCanonicalMapping)
      #expect(Array(typed.utf8) != Array(stored.utf8))
      try FileManager.default.createDirectory(atPath: house.folder + "/" + stored, withIntermediateDirectories: true)
      try house.bring(stored + "/" + stored + ".csv", "id,stock\n138,7\n")
      try house.bring(stored + "/" + stored + ".txt", "설명이 충분히 깁니다")
      try FileManager.default.copyItem(
        atPath: house.folder + "/cup.png", toPath: house.folder + "/" + stored + "/사진.png")
      #expect(await house.say("dry import ~/\(typed)/\(typed).csv").contains("stock 25 -> 7"))
      #expect(await house.say("dry patch 138 description=@~/\(typed)/\(typed).txt").contains("설명이 충분히 깁니다"))
      let decomposed = "사진".decomposedStringWithCanonicalMapping
      let new = await house.say(
        "dry new name='새 상품' description='설명이 충분히 깁니다' price=1 currency=KRW images=~/\(typed)/\(decomposed).png")
      #expect(new.contains("create 새 상품"), "\(new)")
      _ = await house.say("pull ~/\(typed) 138")
      _ = await house.say("show 138 to ~/\(typed)/\(typed).csv replace")
      let names = try FileManager.default.contentsOfDirectory(atPath: house.folder)
      #expect(names.count { $0 == typed } == 1, "\(names)")
      let inside = try FileManager.default.contentsOfDirectory(atPath: house.folder + "/" + stored)
      #expect(inside.count { $0 == typed + ".csv" } == 1 && inside.contains("products"), "\(inside)")
    }
  }
}
