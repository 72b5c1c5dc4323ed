import Foundation
import Pacing
import Testing

/// The rows of a file to import.
@Suite(.timeLimit(Trial.limit)) struct ImportRowTests {
  /// New products are created in the order of their rows, beside changes of others.
  @Test func newProductsAreInTheOrderOfTheFile() async throws {
    try await House.visit { house in
      try house.bringPictures()
      var text = "id,name,description,price,currency,stock,images\n"
      for number in 1...9 {
        text += ",새 상품 \(number),설명이 충분히 깁니다,100,KRW,1,~/cup.png\n\(138 - 6 * number),,,,,9\(number),\n"
      }
      try house.bring("new.csv", text)
      let said = await house.say("import ~/new.csv yes jobs 8")
      #expect(said.contains("18 of 18 changes applied."), "\(said)")
      let names = await house.data("ls where id>141 sort id columns name as csv").data
      #expect(names == "name\n" + (1...9).map { "새 상품 \($0)\n" }.joined(), "\(names)")
    }
  }

  /// The headings of Korean price lists are known; for a row that can't be created, ignored columns are named.
  @Test func koreanHeadings() async throws {
    try await House.visit { house in
      try house.bring("ko.csv", "상품 번호,상품명,가격,할인 금액,재고 수량,메모\n138,먹색 요리책,19500,500,7,x\n")
      let said = await house.say("dry import ~/ko.csv")
      for change in ["price ₩19,000 -> ₩19,500", "discount ₩0 -> ₩500", "stock 25 -> 7"] {
        #expect(said.contains(change), "\(said)")
      }
      #expect(said.contains("Ignored columns that are not product fields: 메모"), "\(said)")
      try house.bring("new.csv", "품목,값\n새 상품,1500\n".replacing("품목", with: "상품명"))
      let missing = await house.say("import ~/new.csv yes")
      #expect(
        missing.contains("Ignored columns that are not product fields: 값") && missing.hasSuffix("= 2\n"), "\(missing)")
      let patched = await house.say("dry patch 72 가격=11500")
      #expect(patched.contains("price ₩12,000 -> ₩11,500"), "\(patched)")
      _ = await house.say("set lang ko")
      let unknown = await house.say("patch 72 값어치=1")
      #expect(unknown.contains("price(정가)") && unknown.contains("stock(재고)"), "\(unknown)")
    }
  }
}
